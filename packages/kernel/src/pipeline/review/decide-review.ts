import { AuditEventType, RiskTier } from "@baton/contract";
import { descendantsOf } from "../../graph/topology.ts";
import type { Problem } from "../../problem.ts";
import type { Draft } from "../decision/draft.ts";
import { resolve } from "../decision/escalate.ts";
import type { Actor, PipelineInput } from "../decision/input.ts";
import { missing, refusal, wrongState } from "../decision/refusal.ts";
import { failStage } from "../stage/fail-stage.ts";
import type { Sent } from "../state/stage-state.ts";
import { noteGate } from "./checked-attempt.ts";
import { passGate, requestReview } from "./open-review.ts";
import { reject } from "./reject.ts";

/** Decides a review. Returns a problem if the caller may not decide it. */
export function decideReview(
  draft: Draft,
  { stageId, dispatchId, verdict, reason, by }: Extract<PipelineInput, { type: "review" }>,
): Problem | undefined {
  const index = draft.state.plan.indexOf.get(stageId);
  if (index === undefined) return missing(`there is no stage "${stageId}"`, "name a stage of this run");
  const stage = draft.stage(index);
  const phase = stage.status === "DISPATCHED" ? stage.phase : undefined;
  if (phase?.kind !== "reviewing" || phase.sent.dispatchId !== dispatchId)
    return wrongState(draft, "review", `stage "${stageId}" does not wait for a review of ${dispatchId}`);
  const { sent, result, checks, reviewer, escalationId } = phase;
  const unfit =
    checkReviewer(by, sent, reviewer) ??
    (verdict.kind === "approve" ? checkOwnWork(draft, by, sent) : undefined);
  if (unfit) return unfit;
  const target = verdict.kind === "reject" ? targetOf(draft, index, verdict.targetStageId) : index;
  if (typeof target !== "number") return target;
  const checked = { index, sent, result, checks };
  resolve(draft, escalationId, verdict.kind, by, reason);
  switch (verdict.kind) {
    case "approve":
      passGate(draft, checked, by, reason);
      break;
    case "fail":
      noteGate(draft, checked, AuditEventType.GATE_FAILED, { passed: false, by, reason });
      failStage(draft, index, { code: "REVIEW_FAILED", reason, result });
      break;
    case "reject":
      reject(draft, checked, { target, instructions: verdict.instructions, reason, by });
  }
  return undefined;
}

/** The author may not review the work, nor may another instance of its pack: it is the same model. */
function checkReviewer(by: Actor, { choice }: Sent, reviewer: "agent" | "person"): Problem | undefined {
  const refuse = (message: string, fix: string) => refusal("BATON-PIPELINE-004", message, fix);
  if (by.id === choice.instanceId || by.id === choice.packId)
    return refuse("the author of the work cannot review it", "let somebody else review it");
  if (reviewer === "person" && by.kind !== "human")
    return refuse("this review is a person's", "let a person review it");
  if (by.kind !== "agent") return undefined;
  if (!by.packId)
    return refuse(
      "a reviewer that does not name its pack may be the author's twin",
      "name the reviewer's pack",
    );
  if (by.packId !== choice.packId) return undefined;
  return refuse(
    `"${by.id}" is of the author's own pack "${choice.packId}"`,
    "let an agent of another pack review it, or a person",
  );
}

/**
 * Work is approved with another key than those of the agents of this run and, for critical risk, that of the submitter.
 * Without keys people cannot be distinguished, and anyone with the operator token is accepted (docs/decisions/0027, 0037).
 */
export function checkOwnWork({ state }: Draft, { keyId }: Actor, { choice }: Sent): Problem | undefined {
  if (keyId === undefined) return undefined;
  const refuse = (message: string) =>
    refusal("BATON-PIPELINE-004", message, "let somebody with another key approve it; you may reject it");
  if (state.agentKeys?.includes(keyId))
    return refuse(`an agent that worked on this run came in with your key "${keyId}"`);
  if (choice.riskTier !== RiskTier.CRITICAL || keyId !== state.submittedBy) return undefined;
  return refuse(`your key "${keyId}" submitted this task, and its risk is critical`);
}

/** Work goes back to the stage itself or to one that it depends on. */
function targetOf(draft: Draft, index: number, stageId: string | undefined): number | Problem {
  if (stageId === undefined || stageId === "") return index;
  const target = draft.state.plan.indexOf.get(stageId);
  if (target === undefined) return missing(`there is no stage "${stageId}"`, "name a stage of this run");
  if (target === index) return target;
  const before = descendantsOf(index, (node) => draft.plan(node).dependsOn);
  if (before.includes(target) && draft.stage(target).status === "COMPLETED") return target;
  return missing(
    `"${draft.plan(index).id}" does not depend on "${stageId}", or that did not complete`,
    "name the stage itself or one before it",
  );
}

/** The review run has ended. Without a valid verdict a person reviews instead, so that no review is left undone. */
export function acceptAgentReview(
  draft: Draft,
  { stageId, dispatchId, verdict, reason, by }: Extract<PipelineInput, { type: "agent-reviewed" }>,
): Problem | undefined {
  const index = draft.state.plan.indexOf.get(stageId);
  const stage = index === undefined ? undefined : draft.stage(index);
  const phase = stage?.status === "DISPATCHED" ? stage.phase : undefined;
  if (index === undefined || phase?.kind !== "reviewing" || phase.sent.dispatchId !== dispatchId)
    return undefined;
  if (phase.reviewer !== "agent") return undefined;
  const unfit = verdict && decideReview(draft, { type: "review", stageId, dispatchId, verdict, reason, by });
  if (verdict && !unfit) return undefined;
  const { sent, result, checks } = phase;
  const why = unfit ? `${unfit.message}; its verdict was: ${reason}` : reason;
  requestReview(draft, { index, sent, result, checks }, "person", `no agent could review it: ${why}`);
  return undefined;
}
