import { AuditEventType, CancelReason, ClarificationSchema, EscalationKind } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { Problem } from "../problem.ts";
import { inputsFor, letAllGo, startWhatCan } from "./advance.ts";
import type { Draft } from "./draft.ts";
import { endThatExcludes } from "./end-early.ts";
import { resolve } from "./escalate.ts";
import { cancelAll, pausePipeline } from "./fail-stage.ts";
import { feedbackFor } from "./feedback.ts";
import type { Actor, PipelineInput } from "./input.ts";
import { missing, refusal, wrongState } from "./refusal.ts";
import { rewind } from "./rewind.ts";
import { startStage } from "./start-stage.ts";
import { type OpenEscalation, type PipelineState, resultOf, sentOf, waitOf } from "./state.ts";

type Input<Type extends PipelineInput["type"]> = Extract<PipelineInput, { type: Type }>;

/** What people may do to a pipeline (PIP-10). Each returns why it cannot be done, if it cannot. */
export function pause(draft: Draft, { reason, by }: Input<"pause">): Problem | undefined {
  if (draft.state.life.status !== "RUNNING")
    return wrongState(draft, "pause", "only a run that is running can be paused");
  pausePipeline(draft, reason, { actor: by });
  return undefined;
}

/** Goes on where it stopped; a stage that had failed is tried again from its first attempt. */
export function resume(draft: Draft, { reason, by }: Input<"resume">): Problem | undefined {
  if (draft.state.life.status !== "PAUSED")
    return wrongState(draft, "resume", "only a paused run can be resumed");
  if (draft.world.halt)
    return refusal(
      "BATON-PIPELINE-002",
      `cannot resume: the tenant is stopped: ${draft.world.halt.reason}`,
      "let the tenant work again: baton tenant start --reason TEXT",
    );
  draft.record({ type: "resumed", by: by.id, reason, atMs: draft.nowMs });
  draft.note(AuditEventType.PIPELINE_RESUMED, "resumed", { actor: by, rationale: reason });
  for (const open of draft.state.escalations.values()) {
    if (isAnsweredByResuming(draft.state, open)) resolve(draft, open.id, "resumed", by);
  }
  for (const index of draft.state.stages.keys()) {
    // One that failed may depend on another that did, and has been reset with it by now.
    if (draft.stage(index).status === "FAILED")
      rewind(draft, index, { feedback: undefined, counts: false, edge: undefined, why: reason, by });
  }
  letAllGo(draft);
  return undefined;
}

const answeredByResuming = new Set([EscalationKind.FAILURE, EscalationKind.POLICY, EscalationKind.DEADLINE]);

/** A stage that waits for this very answer is not helped by going on. */
export function isAnsweredByResuming(state: PipelineState, { id, kind, stage }: OpenEscalation): boolean {
  return answeredByResuming.has(kind) && (stage === undefined || !waitsFor(state, stage, id));
}

function waitsFor({ stages }: PipelineState, index: number, escalationId: string): boolean {
  const stage = stages[index];
  const wait = stage && waitOf(stage);
  return wait !== undefined && "escalationId" in wait && wait.escalationId === escalationId;
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

/** A person takes the pipeline back to a stage that has been sent before. */
export function rewindByPerson(
  draft: Draft,
  { stageId, instructions, reason, by }: Input<"rewind">,
): Problem | undefined {
  const { status } = draft.state.life;
  if (status !== "RUNNING" && status !== "PAUSED") return wrongState(draft, "rewind", "it has ended already");
  const index = draft.state.plan.indexOf.get(stageId);
  if (index === undefined) return missing(`there is no stage "${stageId}"`, "name a stage of this pipeline");
  const cannot = whyNotRewind(draft, index);
  if (cannot) return cannot;
  const stage = draft.stage(index);
  const sent = sentOf(stage);
  const told = [reason, ...instructions];
  rewind(draft, index, {
    feedback: sent && feedbackFor({ rejectedBy: stageId, sent, result: resultOf(stage), instructions: told }),
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

/** What keeps a stage from being sent again as it would have to be. */
function whyNotRewind(draft: Draft, index: number): Problem | undefined {
  const { id, dependsOn } = draft.plan(index);
  const { status } = draft.stage(index);
  if (status === "PENDING" || status === "READY")
    return wrongState(draft, "rewind", `stage "${id}" is ${status}: there is nothing to take back`);
  if (dependsOn.some((place) => draft.stage(place).status !== "COMPLETED"))
    return wrongState(draft, "rewind", `stage "${id}" depends on stages that are not completed`);
  const inputs = inputsFor(draft, index);
  if (!inputs.ok) {
    const message = `cannot rewind: stage "${id}" cannot run: ${inputs.reason}`;
    return refusal("BATON-PIPELINE-002", message, "rewind to the stage whose answer is missing");
  }
  const end = endThatExcludes(draft, index);
  if (end === undefined) return undefined;
  const ended = draft.plan(end).id;
  const message = `cannot rewind: "${ended}" has completed the workflow, and nothing required needs "${id}"`;
  return refusal("BATON-PIPELINE-002", message, `rewind to "${ended}", which takes the end back`);
}

/** Answers what waits for a person. "abort" and "resume" mean the pipeline as a whole, whatever was asked. */
export function answer(draft: Draft, input: Input<"resolve">): Problem | undefined {
  const { escalationId, resolution, by, reason = "" } = input;
  const open = draft.state.escalations.get(escalationId);
  if (by.kind !== "human")
    return refusal("BATON-PIPELINE-004", "this answer is a person's", "let a person answer it");
  if (!open)
    return missing(`there is no open question "${escalationId}"`, "list the open ones; it may be answered");
  if (resolution === "abort")
    return abort(draft, { type: "abort", reason: reason || `answered "${escalationId}" with abort`, by });
  if (by.keyId !== undefined && draft.state.agentKeys?.includes(by.keyId)) {
    return refusal(
      "BATON-PIPELINE-004",
      `an agent that worked on this pipeline came in with your key "${by.keyId}"`,
      "let somebody with another key answer it; you may abort it",
    );
  }
  if (open.kind === EscalationKind.REVIEW) {
    return wrongState(draft, "answer", "this is a review: approve or reject the stage instead");
  }
  const { options } = open.snapshot;
  if (open.kind !== EscalationKind.CLARIFICATION && !options.includes(resolution)) {
    return refusal(
      "BATON-PIPELINE-002",
      `"${resolution}" is no answer to this`,
      `answer with one of: ${options.join(", ")}`,
    );
  }
  const stageWaits = open.stage !== undefined && waitsFor(draft.state, open.stage, escalationId);
  if (stageWaits && resolution === "approve") {
    const unfit = unfitToApprove(draft, by, reason);
    if (unfit) return unfit;
  }
  resolve(draft, escalationId, resolution, by, reason);
  if (stageWaits) return goOn(draft, open, by);
  if (draft.state.life.status === "PAUSED" && open.snapshot.blocking && answeredByResuming.has(open.kind)) {
    return resume(draft, { type: "resume", reason: `answered "${escalationId}": ${resolution}`, by });
  }
  replyTo(draft, open, resolution, by);
  return undefined;
}

/**
 * What is delicate is let pass as critical work is (DIS-16, PIP-06): why is on record beside who and when, and it takes other
 * eyes than those of whoever submitted it. Nobody has done the work yet, so there is no other author.
 */
function unfitToApprove({ state }: Draft, { keyId }: Actor, reason: string): Problem | undefined {
  if (reason.trim() === "")
    return refusal("BATON-PIPELINE-002", "cannot approve without a reason", "say why it may be sent");
  if (keyId === undefined || keyId !== state.submittedBy) return undefined;
  return refusal(
    "BATON-PIPELINE-004",
    `your key "${keyId}" submitted this task, and what it touches wants other eyes`,
    "let somebody with another key approve it; you may abort it",
  );
}

/** The stage is let pass, or tries again what it could not do. */
function goOn(draft: Draft, { stage: index = 0 }: OpenEscalation, by: Actor): undefined {
  if (waitOf(draft.stage(index))?.kind === "deadline") return waiveDeadline(draft, by);
  if (waitOf(draft.stage(index))?.kind === "approval")
    draft.record({ type: "flags-approved", stage: index, atMs: draft.nowMs });
  draft.record({ type: "waited", stage: index, wait: { kind: "turn" }, atMs: draft.nowMs });
  startStage(draft, index);
}

/** One answer holds for every stage that waits for it. */
export function waiveDeadline(draft: Draft, by: Actor, why = "a late result is of use"): undefined {
  draft.record({ type: "deadline-waived", atMs: draft.nowMs });
  for (const index of draft.state.stages.keys()) {
    const wait = waitOf(draft.stage(index));
    if (wait?.kind !== "deadline") continue;
    // The question that was answered is closed already.
    resolve(draft, wait.escalationId, why, by);
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
