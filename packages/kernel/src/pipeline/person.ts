import { AuditEventType, CancelReason, ClarificationSchema, EscalationKind } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { Problem, ProblemCode } from "../problem.ts";
import { advance, completeIfDone, startWhatCan } from "./advance.ts";
import type { Draft } from "./draft.ts";
import { resolve } from "./escalate.ts";
import { cancelAll, failStage, pausePipeline } from "./fail-stage.ts";
import type { Actor, PipelineInput } from "./input.ts";
import { feedbackFor, noteGate, passGate } from "./review.ts";
import { reject, rewind } from "./rewind.ts";
import { startStage } from "./start-stage.ts";
import { type OpenEscalation, resultOf, sentOf, waitOf } from "./state.ts";

type Input<Type extends PipelineInput["type"]> = Extract<PipelineInput, { type: Type }>;

/** What people may do to a pipeline (PIP-10). Each returns why it cannot be done, if it cannot. */
export function pause(draft: Draft, { reason, by }: Input<"pause">): Problem | undefined {
  if (draft.state.life.status !== "RUNNING")
    return wrongState(draft, "pause", "only a running pipeline can be paused");
  pausePipeline(draft, reason, { actor: by });
  return undefined;
}

/** Goes on where it stopped; a stage that had failed is tried again from its first attempt. */
export function resume(draft: Draft, { reason, by }: Input<"resume">): Problem | undefined {
  if (draft.state.life.status !== "PAUSED")
    return wrongState(draft, "resume", "only a paused pipeline can be resumed");
  draft.record({ type: "resumed", by: by.id, reason, atMs: draft.nowMs });
  draft.note(AuditEventType.PIPELINE_RESUMED, "resumed", { actor: by, rationale: reason });
  for (const open of draft.state.escalations.values()) {
    if (isAnsweredByResuming(draft, open)) resolve(draft, open.id, "resumed", by);
  }
  for (const [index, stage] of draft.state.stages.entries()) {
    if (stage.status === "FAILED")
      rewind(draft, index, { feedback: undefined, counts: false, edge: undefined, why: reason, by });
  }
  advance(
    draft,
    [...draft.state.stages.keys()].filter((index) => hasRested(draft, index)),
  );
  completeIfDone(draft);
  return undefined;
}

const answeredByResuming = new Set([EscalationKind.FAILURE, EscalationKind.POLICY, EscalationKind.DEADLINE]);

/** A stage that waits for this very answer is not helped by going on. */
function isAnsweredByResuming(draft: Draft, { id, kind, stage }: OpenEscalation): boolean {
  return answeredByResuming.has(kind) && (stage === undefined || !waitsFor(draft, stage, id));
}

function waitsFor(draft: Draft, index: number, escalationId: string): boolean {
  const wait = waitOf(draft.stage(index));
  return wait !== undefined && "escalationId" in wait && wait.escalationId === escalationId;
}

function hasRested(draft: Draft, index: number): boolean {
  const { status } = draft.stage(index);
  return status === "COMPLETED" || status === "SKIPPED";
}

/** RUNNING goes through PAUSED, so that the lifecycle of A §4.5 stays exact: two records of one command. */
export function abort(draft: Draft, { reason, by }: Input<"abort">): Problem | undefined {
  const { status } = draft.state.life;
  if (status !== "RUNNING" && status !== "PAUSED") return wrongState(draft, "abort", "it has ended already");
  pausePipeline(draft, reason, { actor: by });
  cancelAll(draft, CancelReason.ABORTED, reason);
  for (const id of draft.state.escalations.keys()) resolve(draft, id, "aborted", by);
  draft.record({ type: "aborted", by: by.id, reason, atMs: draft.nowMs });
  draft.note(AuditEventType.PIPELINE_ABORTED, "aborted", { actor: by, rationale: reason });
  return undefined;
}

/** Decides a review. Whoever did the work may not judge it. */
export function review(
  draft: Draft,
  { stageId, dispatchId, verdict, reason, by }: Input<"review">,
): Problem | undefined {
  const index = draft.state.plan.indexOf.get(stageId);
  const stage = index === undefined ? undefined : draft.stage(index);
  if (index === undefined || !stage)
    return missing(`there is no stage "${stageId}"`, "name a stage of this pipeline");
  if (
    stage.status !== "DISPATCHED" ||
    stage.phase.kind !== "reviewing" ||
    stage.phase.sent.dispatchId !== dispatchId
  ) {
    return wrongState(draft, "review", `stage "${stageId}" does not wait for a review of ${dispatchId}`);
  }
  const { sent, result, checks, reviewer, escalationId } = stage.phase;
  if (by.id === sent.choice.instanceId || by.id === sent.choice.packId) {
    return problem(
      "BATON-PIPELINE-004",
      "the author of the work cannot review it",
      "let somebody else review it",
    );
  }
  if (reviewer === "person" && by.kind !== "human") {
    return problem("BATON-PIPELINE-004", "this review is a person's", "let a person review it");
  }
  const target = verdict.kind === "reject" ? targetOf(draft, index, verdict.targetStageId) : index;
  if (typeof target !== "number") return target;
  resolve(draft, escalationId, verdict.kind, by);
  if (verdict.kind === "approve") {
    passGate(draft, index, sent, result, checks, by, reason);
  } else if (verdict.kind === "fail") {
    noteGate(draft, index, sent, checks, AuditEventType.GATE_FAILED, { passed: false, by, reason });
    failStage(draft, index, { code: "REVIEW_FAILED", reason, result });
  } else
    reject(draft, { index, sent, result, checks, target, instructions: verdict.instructions, reason, by });
  return undefined;
}

/** A rewind goes to the stage itself or to one that it depends on. */
function targetOf(draft: Draft, index: number, stageId: string | undefined): number | Problem {
  if (stageId === undefined || stageId === "") return index;
  const target = draft.state.plan.indexOf.get(stageId);
  if (target === undefined) return missing(`there is no stage "${stageId}"`, "name a stage of this pipeline");
  if (target === index) return target;
  if (ancestors(draft, index).has(target) && draft.stage(target).status === "COMPLETED") return target;
  return missing(
    `"${draft.plan(index).id}" does not depend on "${stageId}", or that did not complete`,
    "name the stage itself or one before it",
  );
}

function ancestors(draft: Draft, index: number): ReadonlySet<number> {
  const found = new Set<number>();
  const left = [...draft.plan(index).dependsOn];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (found.has(next)) continue;
    found.add(next);
    left.push(...draft.plan(next).dependsOn);
  }
  return found;
}

/** A person takes the pipeline back to a stage that has been sent before. */
export function rewindByPerson(
  draft: Draft,
  { stageId, instructions, reason, by }: Input<"rewind">,
): Problem | undefined {
  const { status } = draft.state.life;
  if (status !== "RUNNING" && status !== "PAUSED") return wrongState(draft, "rewind", "it has ended already");
  const index = draft.state.plan.indexOf.get(stageId);
  if (index === undefined) return missing(`there is no stage "${stageId}"`, "name a stage of this pipeline");
  const stage = draft.stage(index);
  if (stage.status === "PENDING" || stage.status === "READY") {
    return wrongState(
      draft,
      "rewind",
      `stage "${stageId}" is ${stage.status}: there is nothing to take back`,
    );
  }
  if (draft.plan(index).dependsOn.some((place) => draft.stage(place).status !== "COMPLETED")) {
    return wrongState(draft, "rewind", `stage "${stageId}" depends on stages that are not completed`);
  }
  const sent = sentOf(stage);
  rewind(draft, index, {
    feedback: sent && feedbackFor(draft, index, sent, resultOf(stage), [], [reason, ...instructions]),
    counts: false,
    edge: undefined,
    why: reason,
    by,
  });
  draft.note(AuditEventType.GATE_REJECTED, "a person took the pipeline back", {
    stage: index,
    actor: by,
    rationale: reason,
    snapshot: { case: "gate", value: { passed: false, rejectReason: reason, rewindTargetStage: stageId } },
  });
  startWhatCan(draft);
  return undefined;
}

/** Answers what waits for a person. "abort" and "resume" mean the pipeline as a whole, whatever was asked. */
export function answer(draft: Draft, input: Input<"resolve">): Problem | undefined {
  const { escalationId, resolution, by } = input;
  const open = draft.state.escalations.get(escalationId);
  if (by.kind !== "human")
    return problem("BATON-PIPELINE-004", "this answer is a person's", "let a person answer it");
  if (!open)
    return missing(`there is no open question "${escalationId}"`, "list the open ones; it may be answered");
  if (resolution === "abort")
    return abort(draft, { type: "abort", reason: `answered "${escalationId}" with abort`, by });
  if (open.kind === EscalationKind.REVIEW) {
    return wrongState(draft, "answer", "this is a review: approve or reject the stage instead");
  }
  const { options } = open.snapshot;
  if (open.kind !== EscalationKind.CLARIFICATION && !options.includes(resolution)) {
    return problem(
      "BATON-PIPELINE-002",
      `"${resolution}" is no answer to this`,
      `answer with one of: ${options.join(", ")}`,
    );
  }
  const stageWaits = open.stage !== undefined && waitsFor(draft, open.stage, escalationId);
  resolve(draft, escalationId, resolution, by);
  if (stageWaits) return goOn(draft, open, by);
  if (draft.state.life.status === "PAUSED" && open.snapshot.blocking && answeredByResuming.has(open.kind)) {
    return resume(draft, { type: "resume", reason: `answered "${escalationId}": ${resolution}`, by });
  }
  replyTo(draft, open, resolution, by);
  return undefined;
}

/** The stage is let pass, or tries again what it could not do. */
function goOn(draft: Draft, { stage: index = 0 }: OpenEscalation, by: Actor): undefined {
  if (waitOf(draft.stage(index))?.kind === "deadline") return waiveDeadline(draft, index, by);
  if (waitOf(draft.stage(index))?.kind === "approval")
    draft.record({ type: "flags-approved", stage: index, atMs: draft.nowMs });
  draft.record({ type: "waited", stage: index, wait: { kind: "turn" }, atMs: draft.nowMs });
  startStage(draft, index);
}

/** One answer holds for every stage that waits for it. */
function waiveDeadline(draft: Draft, asked: number, by: Actor): undefined {
  draft.record({ type: "deadline-waived", atMs: draft.nowMs });
  for (const index of draft.state.stages.keys()) {
    const wait = waitOf(draft.stage(index));
    if (wait?.kind !== "deadline") continue;
    if (index !== asked) resolve(draft, wait.escalationId, "a late result is of use", by);
    draft.record({ type: "waited", stage: index, wait: { kind: "turn" }, atMs: draft.nowMs });
    startStage(draft, index);
  }
}

function replyTo(draft: Draft, { stage: index, id }: OpenEscalation, reply: string, by: Actor): void {
  const stage = index === undefined ? undefined : draft.stage(index);
  if (index === undefined || stage?.status !== "DISPATCHED" || stage.phase.kind !== "asking") return;
  if (stage.phase.escalationId === id) continueWith(draft, index, stage.phase.question, reply, by);
}

/** SACP §2.2: the answer resumes the node. It is a new attempt, but not a retry. */
function continueWith(draft: Draft, index: number, question: string, reply: string, by: Actor): void {
  const answeredAt = timestampFromMs(draft.nowMs);
  draft.record({
    type: "retried",
    stage: index,
    wait: { kind: "turn" },
    feedback: undefined,
    clarification: create(ClarificationSchema, { question, answer: reply, answeredBy: by.id, answeredAt }),
    release: undefined,
    atMs: draft.nowMs,
  });
  startStage(draft, index);
}

function wrongState(draft: Draft, what: string, message: string): Problem {
  const fix = `look at the pipeline again: it is ${draft.state.life.status}`;
  return problem("BATON-PIPELINE-002", `cannot ${what}: ${message}`, fix);
}

function missing(message: string, fix: string): Problem {
  return problem("BATON-PIPELINE-003", message, fix);
}

function problem(code: ProblemCode, message: string, fix: string): Problem {
  return { code, at: "", message, fix };
}
