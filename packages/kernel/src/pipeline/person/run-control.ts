import {
  AuditEventType,
  CancelReason,
  type Clarification,
  ClarificationSchema,
  EscalationKind,
  type ToolDecision,
} from "@baton/contract";
import { create, type JsonObject } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { Problem } from "../../problem.ts";
import { theTask } from "../alignment/subject.ts";
import type { Draft } from "../decision/draft.ts";
import { answeredByResuming, isAnsweredByResuming, resolve, waitsFor } from "../decision/escalate.ts";
import type { Actor, PipelineInput } from "../decision/input.ts";
import { missing, refusal, wrongState } from "../decision/refusal.ts";
import { answerAlignment } from "../result/align-output.ts";
import { checkToolAnswer, toolDecision } from "../result/ask-to-approve.ts";
import { advanceAll } from "../stage/advance.ts";
import { raiseBudget } from "../stage/ask-for-budget.ts";
import { cancelAll, pausePipeline } from "../stage/fail-stage.ts";
import { continuesSteps } from "../stage/keep-steps.ts";
import { sendBack } from "../stage/send-back.ts";
import { startStage } from "../stage/start-stage.ts";
import { waitOf } from "../state/stage-state.ts";
import type { OpenEscalation } from "../state/state.ts";

import { deliverOnRequest } from "./ask-about-delivery.ts";

type Input<Type extends PipelineInput["type"]> = Extract<PipelineInput, { type: Type }>;

/** Requests of people (PIP-10). Each returns a problem if it is refused. */
export function pause(draft: Draft, { reason, by }: Input<"pause">): Problem | undefined {
  if (draft.state.life.status !== "RUNNING")
    return wrongState(draft, "pause", "only a run that is running can be paused");
  pausePipeline(draft, reason, { actor: by });
  return undefined;
}

/** Continues a paused run; failed stages begin a new round of attempts. */
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
    // Resetting another failed stage may have reset this one.
    const stage = draft.stage(index);
    if (stage.status !== "FAILED") continue;
    const continues = continuesSteps(stage.failure);
    sendBack(draft, index, {
      feedback: undefined,
      counts: false,
      edge: undefined,
      continues,
      why: reason,
      by,
    });
  }
  advanceAll(draft);
  return undefined;
}

/** A RUNNING pipeline passes through PAUSED, because A §4.5 has no other way to ABORTED. */
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

/** Answers a question. "abort" and "resume" concern the whole pipeline. */
export function answer(draft: Draft, input: Input<"resolve">): Problem | undefined {
  const { escalationId, resolution, by, reason = "", edited } = input;
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
      `an agent that worked on this run came in with your key "${by.keyId}"`,
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
  const misfit = checkToolAnswer(open, { resolution, edited });
  if (misfit) return misfit;
  if (open.kind === EscalationKind.ALIGNMENT) return decideAlignment(draft, open, input);
  const stageWaits = open.stage !== undefined && waitsFor(draft.state, open.stage, escalationId);
  if (stageWaits && resolution === "approve") {
    const unfit = checkApprover(draft, by, reason);
    if (unfit) return unfit;
  }
  resolve(draft, escalationId, resolution, by, reason, edited);
  if (open.delivery) return void deliverOnRequest(draft, open, resolution);
  if (stageWaits) return goOn(draft, open, by, reason);
  if (draft.state.life.status === "PAUSED" && open.snapshot.blocking && answeredByResuming.has(open.kind)) {
    return resume(draft, { type: "resume", reason: `answered "${escalationId}": ${resolution}`, by });
  }
  replyTo(draft, open, { resolution, edited, reason }, by);
  return undefined;
}

/** A person decides whether the task, or the answer of a stage, follows the constitution (SAP V2 §4.1). */
function decideAlignment(
  draft: Draft,
  { id, stage }: OpenEscalation,
  { resolution, by, reason = "" }: Input<"resolve">,
): Problem | undefined {
  const approves = resolution === "approve";
  const unfit = approves ? checkApprover(draft, by, reason) : undefined;
  if (unfit) return unfit;
  resolve(draft, id, resolution, by, reason);
  answerAlignment(draft, stage ?? theTask, approves, by, reason);
  return undefined;
}

/**
 * Security flags are approved like critical work (DIS-16, PIP-06): with a reason, and not by the submitter. There is no
 * author yet.
 */
function checkApprover({ state }: Draft, { keyId }: Actor, reason: string): Problem | undefined {
  if (reason.trim() === "")
    return refusal("BATON-PIPELINE-002", "cannot approve without a reason", "say why it may be sent");
  if (keyId === undefined || keyId !== state.submittedBy) return undefined;
  return refusal(
    "BATON-PIPELINE-004",
    `your key "${keyId}" submitted this task, and what it touches wants other eyes`,
    "let somebody with another key approve it; you may abort it",
  );
}

/** Starts the stage again after the answer. */
function goOn(draft: Draft, { stage: index = 0 }: OpenEscalation, by: Actor, reason: string): undefined {
  if (waitOf(draft.stage(index))?.kind === "budget") raiseBudget(draft, index, by, reason);
  if (waitOf(draft.stage(index))?.kind === "deadline") return waiveDeadline(draft, by);
  if (waitOf(draft.stage(index))?.kind === "approval")
    draft.record({ type: "flags-approved", stage: index, atMs: draft.nowMs });
  draft.record({ type: "waited", stage: index, wait: { kind: "turn" }, atMs: draft.nowMs });
  startStage(draft, index);
}

/** One answer applies to every stage that waits for it. */
export function waiveDeadline(draft: Draft, by: Actor, why = "a late result is of use"): undefined {
  draft.record({ type: "deadline-waived", atMs: draft.nowMs });
  for (const index of draft.state.stages.keys()) {
    const wait = waitOf(draft.stage(index));
    if (wait?.kind !== "deadline") continue;
    // The answered question is closed already.
    resolve(draft, wait.escalationId, why, by);
    draft.record({ type: "waited", stage: index, wait: { kind: "turn" }, atMs: draft.nowMs });
    startStage(draft, index);
  }
}

interface Reply {
  readonly resolution: string;
  readonly edited: JsonObject | undefined;
  readonly reason: string;
}

function replyTo(draft: Draft, { stage: index, id }: OpenEscalation, reply: Reply, by: Actor): void {
  const stage = index === undefined ? undefined : draft.stage(index);
  if (index === undefined || stage?.status !== "DISPATCHED" || stage.phase.kind !== "asking") return;
  const { escalationId, question, result } = stage.phase;
  if (escalationId !== id) return;
  const tool = toolDecision(result.approvalNeeded, reply);
  const { resolution: answer } = reply;
  continueWith(draft, index, { question, answer, ...(tool && { tool }) }, by);
}

/** SACP §2.2: the answer resumes the node with a new attempt, which is not a retry. */
function continueWith(
  draft: Draft,
  index: number,
  given: Pick<Clarification, "question" | "answer"> & { readonly tool?: ToolDecision },
  by: Actor,
): void {
  const answeredAt = timestampFromMs(draft.nowMs);
  draft.record({
    type: "retried",
    stage: index,
    wait: { kind: "turn" },
    feedback: undefined,
    clarification: create(ClarificationSchema, { ...given, answeredBy: by.id, answeredAt }),
    release: undefined,
    atMs: draft.nowMs,
  });
  startStage(draft, index);
}
