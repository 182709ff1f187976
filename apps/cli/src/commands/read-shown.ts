import { failedChecks } from "../hub/failed-checks.ts";
import { readFiles } from "../hub/read-files.ts";
import { shutOutOf } from "../hub/shut-out.ts";
import type { Seen } from "../hub/standing.ts";
import { uncheckedStages } from "../hub/unchecked-stages.ts";
import { wentBack } from "../hub/went-back.ts";
import type { Session } from "../session.ts";
import { isAboutAgents } from "../views/how-to-answer.ts";
import type { Shown } from "../views/pipeline-view.ts";

/** What has to be looked up besides a pipeline to show it whole. */
export async function readShown(
  { hub, signal }: Pick<Session, "hub" | "signal">,
  seen: Seen,
): Promise<Shown> {
  const { pipeline, questions } = seen;
  const asked = new Set(questions.filter(isAboutAgents).map(({ stageId }) => stageId));
  const shutOut = new Map<string, readonly string[]>();
  for (const stage of pipeline.stages)
    if (asked.has(stage.stageId)) shutOut.set(stage.stageId, await shutOutOf(hub, stage, signal));
  return {
    ...{ ...seen, shutOut },
    unchecked: await uncheckedStages(hub, pipeline, signal),
    ...(await readFiles(hub, pipeline, signal)),
    failed: await failedChecks(hub, pipeline, signal),
    ...(await wentBack(hub, pipeline, signal)),
  };
}
