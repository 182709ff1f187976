import { failedChecks } from "../hub/failed-checks.ts";
import { sentBack } from "../hub/sent-back.ts";
import type { Seen } from "../hub/standing.ts";
import { uncheckedStages } from "../hub/unchecked-stages.ts";
import type { Session } from "../session.ts";
import type { Shown } from "../views/pipeline-view.ts";

/** What has to be looked up besides a pipeline to show it whole. */
export async function readShown(
  { hub, signal }: Pick<Session, "hub" | "signal">,
  seen: Seen,
): Promise<Shown> {
  const { pipeline } = seen;
  return {
    ...seen,
    unchecked: await uncheckedStages(hub, pipeline, signal),
    failed: await failedChecks(hub, pipeline, signal),
    sentBack: await sentBack(hub, pipeline, signal),
  };
}
