import { AuditEventType, CancelReason } from "@baton/contract";
import type { Problem } from "../../problem.ts";
import { stopStage } from "../attempt/end-attempt.ts";
import type { Draft } from "../decision/draft.ts";
import { voidQuestions } from "../decision/escalate.ts";
import type { Actor, PipelineInput } from "../decision/input.ts";
import { missing, refusal, wrongState } from "../decision/refusal.ts";
import { advance } from "../stage/advance.ts";
import { failStage } from "../stage/fail-stage.ts";
import { sendBack } from "../stage/send-back.ts";
import { resume } from "./run-control.ts";

type Input<Type extends PipelineInput["type"]> = Extract<PipelineInput, { type: Type }>;

function adviseStages({ state }: Draft): string {
  return `name a stage of this run: ${state.plan.stages.map(({ id }) => id).join(", ")}`;
}

/** The index of a stage that a person names, or the problem. */
export function findStage(draft: Draft, stageId: string): number | Problem {
  const index = draft.state.plan.indexOf.get(stageId);
  return index ?? missing(`there is no stage "${stageId}"`, adviseStages(draft));
}

/**
 * Cancels what is under way for a stage (PIP-10). The stage fails as after its last attempt, so the failure strategy
 * applies; it is retried only on resume.
 */
export function cancelStage(
  draft: Draft,
  { stageId, reason, by }: Input<"cancel-stage">,
): Problem | undefined {
  const index = findStage(draft, stageId);
  if (typeof index !== "number") return index;
  const { status } = draft.stage(index);
  if (status !== "DISPATCHED")
    return wrongState(draft, "cancel", `stage "${stageId}" is ${status}, and nothing is under way for it`);
  const why = `cancelled by ${by.id}: ${reason}`;
  stopStage(draft, index, CancelReason.ABORTED, why);
  voidQuestions(draft, index, why, by);
  draft.note(AuditEventType.STAGE_CANCELLED, "cancelled a stage", {
    stage: index,
    actor: by,
    rationale: reason,
  });
  failStage(draft, index, { code: "CANCELLED", reason: why, result: undefined });
  return undefined;
}

/**
 * Skips an optional stage (PIP-10). A failed one is reset to READY first, because A §4.5 has no transition from FAILED to
 * SKIPPED.
 */
export function skipStage(draft: Draft, { stageId, reason, by }: Input<"skip-stage">): Problem | undefined {
  const index = findStage(draft, stageId);
  if (typeof index !== "number") return index;
  const problem = checkSkip(draft, index);
  if (problem) return problem;
  const why = `skipped by ${by.id}: ${reason}`;
  const isStopped = isPausedFor(draft, index);
  stopStage(draft, index, CancelReason.ABORTED, why);
  voidQuestions(draft, index, why, by);
  if (draft.stage(index).status === "FAILED") resetFailedStage(draft, index, reason, by);
  draft.note(AuditEventType.STAGE_SKIPPED, "skipped a stage", { stage: index, actor: by, rationale: reason });
  // The end of the workflow may have pruned it already.
  if (draft.stage(index).status !== "SKIPPED")
    draft.record({ type: "pruned", stage: index, reason: why, byEnd: false, atMs: draft.nowMs });
  return goOn(draft, index, isStopped, why, by);
}

function checkSkip(draft: Draft, index: number): Problem | undefined {
  const { id } = draft.plan(index);
  const { status } = draft.stage(index);
  if (status !== "FAILED" && status !== "READY" && status !== "DISPATCHED")
    return wrongState(draft, "skip", `stage "${id}" is ${status}`);
  const needed = requiredBy(draft, index);
  if (needed === undefined) return undefined;
  const message =
    needed === index
      ? `cannot skip: stage "${id}" is required`
      : `cannot skip: stage "${draft.plan(needed).id}" is required and depends on "${id}"`;
  return refusal(
    "BATON-PIPELINE-002",
    message,
    "override it with a result once it has failed, or abort the run",
  );
}

/** The stage itself, or one that needs it. A stage with a condition needs none. */
function requiredBy(draft: Draft, index: number): number | undefined {
  const left = [index];
  for (let position = left.pop(); position !== undefined; position = left.pop()) {
    const { required, dependents } = draft.plan(position);
    if (required) return position;
    left.push(...dependents.filter((dependent) => !draft.plan(dependent).condition));
  }
  return undefined;
}

/** Resets a FAILED stage within A §4.5: through REJECTED to READY, with a new attempt number. */
export function resetFailedStage(draft: Draft, index: number, why: string, by: Actor): void {
  sendBack(draft, index, { feedback: undefined, counts: false, edge: undefined, why, by });
}

/** Whether the run paused because of this stage. Call it before closing the stage's question. */
export function isPausedFor({ state }: Draft, index: number): boolean {
  const { life, escalations } = state;
  if (life.status !== "PAUSED") return false;
  return [...escalations.values()].some(
    ({ stage, snapshot }) => stage === index && snapshot.blocking && snapshot.problem === life.reason,
  );
}

/** Resumes a run that paused because of the stage, unless another stage has failed. */
export function goOn(
  draft: Draft,
  index: number,
  isStopped: boolean,
  why: string,
  by: Actor,
): Problem | undefined {
  if (isStopped && draft.state.tally.FAILED === 0) return resume(draft, { type: "resume", reason: why, by });
  advance(draft, [index]);
  return undefined;
}
