import type { Stage, TurnGap, TurnRecord } from "@baton/contract/forms";
import { CliError } from "../errors/cli-error.ts";
import type { Hub } from "./connect-hub.ts";
import { findPipeline } from "./find-pipeline.ts";
import { nameOne } from "./known-names.ts";
import { type Listed, readPages } from "./read-pages.ts";

/** What was asked for: a pipeline, a stage of it, or one attempt. */
interface Asked {
  readonly pipeline: string;
  readonly stageId: string;
  readonly attemptNumber: number;
}

export interface ListedTurns extends Listed<TurnRecord> {
  readonly gaps: readonly TurnGap[];
}

/** Turns of PIPELINE, PIPELINE/STAGE or a dispatch's id. */
export async function getTurns(
  hub: Hub,
  given: string,
  most: number,
  signal: AbortSignal,
): Promise<ListedTurns> {
  const { pipeline, ...part } = readAsked(given);
  const { pipelineId, stages } = await findPipeline(hub, pipeline, signal);
  mustBeStage(part.stageId, stages);
  const gaps: TurnGap[] = [];
  const listed = await readPages(most, async (place) => {
    const page = await hub.inspection.getTurns({ pipelineId, ...part, ...place }, { signal });
    gaps.push(...page.gaps);
    return { rows: page.turns, nextPageToken: page.nextPageToken };
  });
  return { ...listed, gaps };
}

function mustBeStage(stageId: string, stages: readonly Stage[]): void {
  if (stageId === "" || stages.some((stage) => stage.stageId === stageId)) return;
  const known = stages.map((stage) => stage.stageId);
  throw new CliError("BATON-CLI-004", `the run has no stage "${stageId}"`, { fix: nameOne(known) });
}

/** A dispatch's id ends with the number of the attempt; what stands between is the stage. */
export function readAsked(given: string): Asked {
  const [, pipeline = given, rest = ""] = /^([^/]*)\/(.*)$/s.exec(given) ?? [];
  const [, stageId = rest, attempt = "0"] = /^(.+)\/(\d{1,9})$/s.exec(rest) ?? [];
  return { pipeline, stageId, attemptNumber: Number(attempt) };
}
