import type { Stage, TurnGap, TurnRecord } from "@baton/contract/forms";
import { CliError } from "../errors/cli-error.ts";
import type { Hub } from "../hub/connect-hub.ts";
import { type Listed, readPages } from "../hub/read-pages.ts";
import { findPipeline } from "./find-pipeline.ts";
import { listKnownNames } from "./known-names.ts";

/** A run, a stage of it, or one attempt. */
interface Asked {
  readonly pipeline: string;
  readonly stageId: string;
  readonly attemptNumber: number;
}

export interface ListedTurns extends Listed<TurnRecord> {
  readonly gaps: readonly TurnGap[];
}

/** Turns of RUN, RUN/STAGE or a dispatch id. */
export async function getTurns(
  hub: Hub,
  given: string,
  max: number,
  signal: AbortSignal,
): Promise<ListedTurns> {
  const { pipeline, ...part } = readAsked(given);
  const { pipelineId, stages } = await findPipeline(hub, pipeline, signal);
  requireStage(part.stageId, stages);
  const gaps: TurnGap[] = [];
  const listed = await readPages(max, async (pageRequest) => {
    const page = await hub.inspection.getTurns({ pipelineId, ...part, ...pageRequest }, { signal });
    gaps.push(...page.gaps);
    return { rows: page.turns, nextPageToken: page.nextPageToken };
  });
  return { ...listed, gaps };
}

function requireStage(stageId: string, stages: readonly Stage[]): void {
  if (stageId === "" || stages.some((stage) => stage.stageId === stageId)) return;
  const known = stages.map((stage) => stage.stageId);
  throw new CliError("BATON-CLI-004", `the run has no stage "${stageId}"`, { fix: listKnownNames(known) });
}

/** Parses RUN/STAGE/ATTEMPT. */
export function readAsked(given: string): Asked {
  const [, pipeline = given, rest = ""] = /^([^/]*)\/(.*)$/s.exec(given) ?? [];
  const [, stageId = rest, attempt = "0"] = /^(.+)\/(\d{1,9})$/s.exec(rest) ?? [];
  return { pipeline, stageId, attemptNumber: Number(attempt) };
}
