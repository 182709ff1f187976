import type { ReviewFeedback } from "@baton/contract";
import type { Problem } from "../../problem.ts";
import { missing } from "../decision/refusal.ts";
import { evolve } from "../records/evolve.ts";
import { type Move, movesOf } from "../records/moves.ts";
import type { PipelineRecord, RecordOf } from "../records/record.ts";
import type { PipelineState } from "../state/state.ts";
import { effectiveVersions } from "./branches-at.ts";

/** A transition of a stage or of the pipeline, named by the version it led to. */
export interface ListedTransition extends Move {
  readonly version: number;
  readonly atMs: number;
  /** A rewind went back behind it, and no later one returned. */
  readonly abandoned: boolean;
  /** The current attempt of the stage afterwards; zero without one. */
  readonly attempt: number;
  /** The person who requested it. */
  readonly by: string;
  /** Why, if it is not the normal course. */
  readonly reason: string;
  /** For a rewind, its target version. */
  readonly rewoundTo?: number | undefined;
}

/** All transitions of a pipeline, oldest first, including abandoned ones. */
export function listTransitions(records: readonly PipelineRecord[]): readonly ListedTransition[] {
  const holds = new Set(effectiveVersions(records, records.length));
  const listed: ListedTransition[] = [];
  let state: PipelineState | undefined;
  for (const [position, record] of records.entries()) {
    const before = state;
    state = evolve(before, record);
    const version = position + 1;
    const why = {
      by: "by" in record ? record.by : "",
      reason: reasonOf(record, before, records[position - 1]),
    };
    for (const move of movesOf(before, record, state)) {
      const attempt = move.stage === undefined ? 0 : (state.stages[move.stage]?.attempt ?? 0);
      listed.push({
        ...{ ...move, ...why, attempt, version, atMs: record.atMs, abandoned: !holds.has(version) },
        ...(record.type === "restored" && { rewoundTo: record.toVersion }),
      });
    }
  }
  return listed;
}

/** A rewind must target a version that a transition led to (TUR-08), or the one in which a rerun took over results. */
export function checkTransitionExists(
  records: readonly PipelineRecord[],
  version: number,
): Problem | undefined {
  if (records[version - 1]?.type === "taken-over") return undefined;
  const versions = listTransitions(records).map((one) => one.version);
  if (versions.includes(version)) return undefined;
  const below = versions.findLast((one) => one < version);
  const above = versions.find((one) => one > version && one < records.length);
  const near = [below, above].filter((one) => one !== undefined).join(" or ");
  return missing(
    `cannot rewind to revision ${version}: no transition led to it`,
    `name the revision of a transition, such as ${near}: list the transitions of the run (baton runs transitions)`,
  );
}

function reasonOf(
  record: PipelineRecord,
  before: PipelineState | undefined,
  last: PipelineRecord | undefined,
): string {
  switch (record.type) {
    case "failed":
    case "skipped":
      return record.failure.reason;
    case "rejected":
      return describeFeedback(record.feedback);
    case "retried":
      // An invalid result is recorded right before.
      return last?.type === "disregarded" ? last.reason : whyRetried(record, before);
    default:
      return "reason" in record ? record.reason : "";
  }
}

/** For older records, which lack the reason. */
export const noUsableResult = "no answer came that could be used";

function whyRetried(
  { stage: position, clarification, feedback, reason }: RecordOf<"retried">,
  before: PipelineState | undefined,
): string {
  if (clarification) return "its question was answered";
  const stage = before?.stages[position];
  const result = stage?.status === "DISPATCHED" && "result" in stage.phase ? stage.phase.result : undefined;
  const { failureReason, summary } = result?.status ?? {};
  return describeFeedback(feedback) || reason || failureReason || summary || noUsableResult;
}

/** The failed checks and their source; without checks, the instructions. */
function describeFeedback(feedback: ReviewFeedback | undefined): string {
  if (!feedback) return "";
  const { failedChecks, instructions, rejectedByStage } = feedback;
  const reasons = failedChecks.map(({ reason }) => reason).filter(Boolean);
  const parts = reasons.length > 0 ? reasons : instructions;
  return parts.length === 0 ? "" : `${rejectedByStage ? `${rejectedByStage}: ` : ""}${parts.join("; ")}`;
}
