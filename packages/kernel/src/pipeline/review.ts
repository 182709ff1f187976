import {
  type AgentResult,
  AuditEventType,
  Confidence,
  EscalationKind,
  type FailedCheck,
  FailedCheckSchema,
  GateCheckStatus,
  Outcome,
  ResponseStatus,
  type ReviewFeedback,
  ReviewFeedbackSchema,
  RiskTier,
} from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { tierName } from "../dispatch/risk-tier.ts";
import { evaluateCondition } from "../graph/condition.ts";
import { advance } from "./advance.ts";
import { type Draft, orchestrator } from "./draft.ts";
import { attemptsLeft, retryOrFail } from "./end-attempt.ts";
import { escalate } from "./escalate.ts";
import { type GateCheckFinding, gateHolds, runGate, type Verification } from "./gate.ts";
import { ownScope } from "./graph-scope.ts";
import type { Actor } from "./input.ts";
import { endHere, rewindAlongEdge } from "./rewind.ts";
import type { Sent } from "./state.ts";

/** Step 6 of A §4.3: the hub looks for itself where it can, and takes the agent's evidence where it cannot. */
export function openGate(draft: Draft, index: number, sent: Sent, result: AgentResult): void {
  const { workspace, contract } = sent.envelope;
  if (workspace) {
    const environment = contract?.environment;
    draft.command({ type: "verify", dispatchId: sent.dispatchId, environment, workspace });
    return;
  }
  judge(draft, index, sent, result, undefined);
}

/** The minimum checks, then the review that the risk asks for. */
export function judge(
  draft: Draft,
  index: number,
  sent: Sent,
  result: AgentResult,
  verification: Verification | undefined,
): void {
  const { contract, execution } = sent.envelope;
  if (!contract) throw new Error("an envelope has a contract");
  const patchSizeLimit = execution?.patchSizeLimit ?? 0;
  const checks = runGate({ contract, patchSizeLimit, result, verification });
  for (const { disproved, name } of checks) if (disproved) tellDisproved(draft, sent, name);
  if (!gateHolds(checks)) return failGate(draft, index, sent, result, checks);
  reviewByTier(draft, index, sent, result, checks);
}

/** Low: automatic. Normal: by a rule or a reviewer. Critical: by a person. */
function reviewByTier(
  draft: Draft,
  index: number,
  sent: Sent,
  result: AgentResult,
  checks: readonly GateCheckFinding[],
): void {
  const { riskTier } = sent.choice;
  const reviewer =
    riskTier === RiskTier.CRITICAL
      ? "person"
      : riskTier === RiskTier.LOW
        ? "rule"
        : draft.world.review.normal;
  if (reviewer !== "rule") return requestReview(draft, index, sent, checks, reviewer, "its risk asks for it");
  const { outcome, confidence } = result.status ?? {};
  if (outcome === Outcome.PARTIAL && result.blockers.length > 0)
    return retryPartial(draft, index, sent, result, checks);
  const unsure = confidence === Confidence.UNCERTAIN || confidence === Confidence.BLOCKED;
  if (unsure && riskTier !== RiskTier.LOW) {
    return requestReview(draft, index, sent, checks, "person", "the agent is not sure of it");
  }
  passGate(draft, index, sent, result, checks, orchestrator, "all checks hold");
}

function requestReview(
  draft: Draft,
  index: number,
  sent: Sent,
  checks: readonly GateCheckFinding[],
  reviewer: "agent" | "person",
  why: string,
): void {
  const { id } = draft.plan(index);
  const escalationId =
    reviewer === "person"
      ? escalate(draft, {
          kind: EscalationKind.REVIEW,
          stage: index,
          sent,
          snapshot: {
            problem: `stage "${id}" waits for a review by a person: ${why}`,
            impact: "what depends on it waits",
            options: ["approve", "reject", "fail"],
            recommended: "look at the evidence, then decide",
            blocking: true,
          },
        })
      : undefined;
  draft.record({ type: "review-requested", stage: index, checks, reviewer, escalationId, atMs: draft.nowMs });
  if (reviewer === "agent")
    draft.command({ type: "request-review", stageId: id, dispatchId: sent.dispatchId });
}

/** The stage is done, unless one of its edges goes back or its answer ends the workflow. */
export function passGate(
  draft: Draft,
  index: number,
  sent: Sent,
  result: AgentResult,
  checks: readonly GateCheckFinding[],
  by: Actor,
  reason: string,
): void {
  noteGate(draft, index, sent, checks, AuditEventType.GATE_PASSED, { passed: true, by, reason });
  const edge = edgeBack(draft, index, result);
  draft.record({ type: "completed", stage: index, atMs: draft.nowMs });
  if (edge !== -1) return rewindAlongEdge(draft, index, edge, result);
  if (result.response?.status === ResponseStatus.COMPLETED) return endHere(draft, index);
  advance(draft, [index]);
}

/** The first edge that goes back whose condition holds and that may still be taken; -1 when there is none. */
function edgeBack(draft: Draft, index: number, result: AgentResult): number {
  const { rewindEdges } = draft.plan(index);
  if (rewindEdges.length === 0) return -1;
  const { edgesTaken } = draft.stage(index);
  const scope = ownScope(draft.state, index, result);
  return rewindEdges.findIndex(
    ({ condition, maxTimes, target }, place) =>
      (edgesTaken[place] ?? 0) < maxTimes &&
      (target === index || draft.stage(target).status === "COMPLETED") &&
      evaluateCondition(condition, scope).kind === "true",
  );
}

/** Fixable by doing it again: the same stage, told what failed, while it has attempts left. */
function failGate(
  draft: Draft,
  index: number,
  sent: Sent,
  result: AgentResult,
  checks: readonly GateCheckFinding[],
): void {
  const failed = checks.filter(({ status }) => status === "FAILED");
  const reason = failed.map(({ name }) => name).join(", ");
  noteGate(draft, index, sent, checks, AuditEventType.GATE_FAILED, {
    passed: false,
    by: orchestrator,
    reason,
  });
  const feedback = feedbackFor(draft, index, sent, result, failed.map(failedCheck), []);
  const failure = { code: "GATE_FAILED", reason: `these checks failed: ${reason}`, result };
  retryOrFail(draft, index, { failure, feedback });
}

function retryPartial(
  draft: Draft,
  index: number,
  sent: Sent,
  result: AgentResult,
  checks: readonly GateCheckFinding[],
): void {
  const blockers = result.blockers.map(({ description }) => description).join("; ");
  const reason = `done in part: ${blockers}`;
  noteGate(draft, index, sent, checks, AuditEventType.GATE_FAILED, {
    passed: false,
    by: orchestrator,
    reason,
  });
  const partial = create(FailedCheckSchema, { checkName: "completeness", reason });
  const instructions = result.blockers.flatMap(({ suggestedResolution }) => suggestedResolution || []);
  const feedback = feedbackFor(draft, index, sent, result, [partial], instructions);
  retryOrFail(draft, index, { failure: { code: "PARTIAL", reason, result }, feedback });
}

/** What a rewound or repeated attempt is told: what failed and why, what was tried, what to do (A §4.6). */
export function feedbackFor(
  draft: Draft,
  rejectedBy: number,
  sent: Sent,
  result: AgentResult | undefined,
  failedChecks: readonly FailedCheck[],
  instructions: readonly string[],
): ReviewFeedback {
  return create(ReviewFeedbackSchema, {
    rejectedAttempt: sent.attempt,
    rejectedByStage: draft.plan(rejectedBy).id,
    failedChecks: [...failedChecks],
    instructions: [...instructions],
    ...(result?.contextOut && { priorContext: result.contextOut }),
  });
}

const evidenceLimit = 65_536;

function failedCheck({ name, evidence }: GateCheckFinding): FailedCheck {
  const fits = evidence.length <= evidenceLimit;
  return create(FailedCheckSchema, {
    checkName: name,
    reason: fits
      ? `${name} failed`
      : `${name} failed; what it printed is longer than ${evidenceLimit} and left out`,
    evidence: fits ? evidence : "",
  });
}

export function noteGate(
  draft: Draft,
  index: number,
  sent: Sent,
  checks: readonly GateCheckFinding[],
  event: AuditEventType,
  { passed, by, reason, target = "" }: { passed: boolean; by: Actor; reason: string; target?: string },
): void {
  draft.note(event, passed ? "the gate passed" : "the gate did not pass", {
    stage: index,
    sent,
    actor: by,
    rationale: reason,
    snapshot: {
      case: "gate",
      value: {
        checks: checks.map(({ name, status, evidence }) => ({
          gateName: name,
          passed: status !== "FAILED",
          evidence,
          status: GateCheckStatus[status],
        })),
        tier: tierName(sent.choice.riskTier),
        passed,
        rejectReason: passed ? "" : reason,
        rewindTargetStage: target,
        attemptsRemaining: attemptsLeft(draft, index),
      },
    },
  });
}

function tellDisproved(draft: Draft, { dispatchId, choice }: Sent, name: string): void {
  const { packId, instanceId } = choice;
  const reason = `it claimed that ${name} passed, and the hub saw that it does not`;
  draft.command({
    type: "tell-fleet",
    news: { kind: "claim-disproved", dispatchId, packId, instanceId, reason },
  });
}
