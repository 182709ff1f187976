import {
  type AgentResult,
  AuditEventType,
  Confidence,
  EscalationKind,
  Outcome,
  ResponseStatus,
  RiskTier,
} from "@baton/contract";
import { brief, cutAtWord } from "../../brief.ts";
import type { Reviewer, ReviewPolicy } from "../../dispatch/routing-policy.ts";
import { tierName } from "../../risk-tier.ts";
import { reportOverturned } from "../attempt/end-attempt.ts";
import { failedCheck, feedbackFor } from "../attempt/feedback.ts";
import { type Draft, orchestrator } from "../decision/draft.ts";
import { escalate } from "../decision/escalate.ts";
import type { Actor } from "../decision/input.ts";
import { gateHolds, runGate, type Verification } from "../gate/gate.ts";
import { runsTests, testsToRun } from "../gate/gate-tests.ts";
import { failsBaseTests, noticesOf } from "../gate/notices.ts";
import { differingFiles, withSeenFiles } from "../gate/seen-files.ts";
import { raisedFlags } from "../plan/plan-stage.ts";
import { advance } from "../stage/advance.ts";
import { endWorkflow } from "../stage/end-early.ts";
import { failStage } from "../stage/fail-stage.ts";
import { retryOrFail } from "../stage/retry.ts";
import type { Sent } from "../state/stage-state.ts";
import { attemptWorkspace } from "../state/workspace.ts";
import { findBackEdge } from "./back-edge.ts";
import { type CheckedAttempt, noteGate } from "./checked-attempt.ts";
import { instructionOf, takeBackEdge } from "./reject.ts";
import { reviewSubmission } from "./review-task.ts";

/** Step 6 of A §4.3: the hub verifies the work itself where it can, and else uses the agent's evidence. */
export function openGate(draft: Draft, index: number, sent: Sent, result: AgentResult): void {
  const { workspace, contract } = sent.envelope;
  if (workspace) {
    const environment = contract?.environment;
    const place = attemptWorkspace(draft.stage(index));
    const { artifacts } = result;
    const { dispatchId } = sent;
    const { rootCommit } = draft.state;
    const toRun = contract ? testsToRun({ contract }) : [];
    draft.command({
      ...{ type: "verify", dispatchId, environment, workspace, artifacts, place, rootCommit },
      ...(toRun.length > 0 && { testsToRun: toRun }),
    });
    return;
  }
  judge(draft, { index, sent, result }, undefined);
}

/** The minimum checks, then the review that the risk tier requires. */
export function judge(
  draft: Draft,
  attempt: Omit<CheckedAttempt, "checks">,
  verification: Verification | undefined,
): void {
  const { sent } = attempt;
  const result = applySeenFiles(draft, attempt, verification);
  const { contract, execution } = sent.envelope;
  if (!contract) throw new Error("an envelope has a contract");
  if (verification?.commit) {
    const { commit } = verification;
    draft.record({ type: "kept", stage: attempt.index, attempt: sent.attempt, commit, atMs: draft.nowMs });
  }
  const patchSizeLimit = execution?.patchSizeLimit ?? 0;
  const approved = draft.stage(attempt.index).flagsApproved;
  const flags = { raised: raisedFlags(sent.envelope.safety), approved };
  const ownWorkspace = attemptWorkspace(draft.stage(attempt.index)) !== undefined;
  const question = { contract, patchSizeLimit, result, flags, verification, ownWorkspace };
  const checks = runGate(question);
  const changed = verification?.changes?.files.map(({ path }) => path);
  const checked = { ...attempt, result, checks, whole: verification?.whole, changed };
  reportClaims(draft, checked);
  if (gateHolds(checked.checks)) reviewByTier(draft, checked);
  else failGate(draft, checked);
}

/** The result with git's action for each of its files. */
function applySeenFiles(
  draft: Draft,
  { index, result }: Omit<CheckedAttempt, "checks">,
  verification: Verification | undefined,
): AgentResult {
  const files = differingFiles(result, verification?.changes?.files ?? []);
  if (files.length === 0) return result;
  draft.record({ type: "files-seen", stage: index, files, atMs: draft.nowMs });
  return withSeenFiles(result, files);
}

/** The routing policy states the reviewer (PIP-06); critical work is always reviewed by a person. */
function reviewByTier(draft: Draft, checked: CheckedAttempt): void {
  const { index, sent, result } = checked;
  const { riskTier } = sent.choice;
  if (draft.state.reviewOf) {
    // A verdict is data that the output schema has checked; reviewing it again would never end.
    if (result.status?.outcome === Outcome.SUCCESS)
      return passGate(draft, checked, orchestrator, "the review came to a verdict");
    return failStage(draft, index, { code: "UNDECIDED", reason: describePartial(result), result });
  }
  const reviewer = reviewerOf(draft.world.review, riskTier);
  // No rule can decide whether a part is enough (A §4.3 step 5).
  if (result.status?.outcome === Outcome.PARTIAL)
    return requestReview(draft, checked, reviewer === "rule" ? "person" : reviewer, describePartial(result));
  if (reviewer !== "rule") {
    const risk = tierName(riskTier || RiskTier.NORMAL).toLowerCase();
    return requestReview(draft, checked, reviewer, `required for ${risk} risk`);
  }
  const { confidence } = result.status ?? {};
  const unsure = confidence === Confidence.UNCERTAIN || confidence === Confidence.BLOCKED;
  if (unsure && riskTier !== RiskTier.LOW)
    return requestReview(draft, checked, "person", "the agent is not sure of it");
  if (failsBaseTests(checked.checks) && riskTier !== RiskTier.LOW && !isDecided(draft, checked))
    return requestReview(draft, checked, "person", "the tests of the base commit fail with this change");
  passGate(draft, checked, orchestrator, "all checks hold");
}

/**
 * Whether the gates of earlier stages decided about all changed tests, so that nobody is asked twice: the attempt changed
 * none of them, and all work before it passed a gate that runs the tests and asks about them.
 */
function isDecided(draft: Draft, { index, checks, changed }: CheckedAttempt): boolean {
  const own = new Set(changed);
  const tests = checks.flatMap(({ run }) => run?.baseTests?.changedTests ?? []);
  return (
    changed !== undefined &&
    !tests.some((path) => own.has(path)) &&
    draft.state.stages.every((stage, other) => {
      if (other === index || stage.status !== "COMPLETED") return true;
      if (stage.kept === undefined || stage.kept.commit === stage.place?.baseCommit) return true;
      const { choice, envelope } = stage.sent;
      return choice.riskTier !== RiskTier.LOW && runsTests(envelope.contract);
    })
  );
}

function reviewerOf({ low = "rule", normal }: ReviewPolicy, riskTier: RiskTier): Reviewer {
  if (riskTier === RiskTier.CRITICAL) return "person";
  return riskTier === RiskTier.LOW ? low : normal;
}

/** What is missing from a PARTIAL result, and what the agent suggests. */
function describePartial({ blockers }: AgentResult): string {
  const named = blockers.map(({ description, suggestedResolution }) =>
    suggestedResolution ? `${description} (suggested: ${suggestedResolution})` : description,
  );
  return brief(["the agent reports it done in part", ...named].join("; "));
}

export function requestReview(
  draft: Draft,
  checked: CheckedAttempt,
  reviewer: "agent" | "person",
  why: string,
): void {
  const { index, sent, result, checks, whole } = checked;
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
            recommended: adviseReviewer(checks),
            blocking: true,
            ...(whole && { change: { ...whole } }),
            notices: [...result.notices, ...noticesOf(checks)],
          },
        })
      : undefined;
  draft.record({ type: "review-requested", stage: index, checks, reviewer, escalationId, atMs: draft.nowMs });
  if (reviewer !== "agent") return;
  const { dispatchId } = sent;
  const { taskType } = draft.world.review;
  draft.command({ type: "request-review", stageId: id, dispatchId });
  // Without a task type, reviewers call the hub.
  if (taskType === undefined) return;
  const submission = reviewSubmission(draft, checked, taskType);
  draft.command({ type: "dispatch-review", dispatchId, submission });
}

/** Characters of a check's evidence in a question; the attempt has all of it. */
const briefEvidence = 160;

/** Summarizes the findings of the checks for the reviewer. */
function adviseReviewer(checks: CheckedAttempt["checks"]): string {
  const seen = checks
    .filter(({ status }) => status !== "NOT_APPLICABLE")
    .map(({ name, evidence }) => `${name}: ${cutAtWord(evidence.split("\n")[0] ?? "", briefEvidence)}`);
  if (seen.length === 0) return "nothing was checked: look at the work itself, then decide";
  return `look at what was changed, then decide; the checks hold: ${seen.join("; ")}`;
}

/** Completes the stage, unless a back edge is taken or the answer ends the workflow. */
export function passGate(draft: Draft, checked: CheckedAttempt, by: Actor, reason: string): void {
  const { index, result } = checked;
  noteGate(draft, checked, AuditEventType.GATE_PASSED, { passed: true, by, reason });
  const instruction = instructionOf(result);
  const back = findBackEdge(draft, index, result, instruction);
  draft.record({ type: "completed", stage: index, atMs: draft.nowMs });
  if (back.kind === "taken") return takeBackEdge(draft, index, back.edge, instruction, orchestrator);
  if (result.response?.status === ResponseStatus.COMPLETED) return endWorkflow(draft, index);
  advance(draft, [index]);
}

/** Retries the stage with the failed checks as feedback, while it has attempts left. */
function failGate(draft: Draft, checked: CheckedAttempt): void {
  const { index, sent, result, checks } = checked;
  const failed = checks.filter(({ status }) => status === "FAILED");
  const reason = failed.map(({ name }) => name).join(", ");
  noteGate(draft, checked, AuditEventType.GATE_FAILED, { passed: false, by: orchestrator, reason });
  const failedChecks = failed.map(failedCheck);
  const feedback = feedbackFor({ rejectedBy: draft.plan(index).id, sent, result, failedChecks });
  const failure = { code: "GATE_FAILED", reason: `these checks failed: ${reason}`, result };
  reportOverturned(draft, sent, failure.reason);
  retryOrFail(draft, index, { failure, feedback, counts: failed.some(({ disproved }) => disproved) });
}

/** A result counts at most once for its agent: against it when any claim is disproved, for it when a claim is confirmed. */
function reportClaims(draft: Draft, { sent, checks }: CheckedAttempt): void {
  const disproved = checks.filter((check) => check.disproved).map(({ name }) => name);
  const isConfirmed = checks.some(({ claim, run }) => claim?.passed && run?.passed);
  const held = disproved.length === 0;
  if (held && !isConfirmed) return;
  const { dispatchId, choice } = sent;
  const { packId, instanceId } = choice;
  const reason = held ? "" : `it claimed what the hub saw to be otherwise: ${disproved.join(", ")}`;
  draft.command({
    type: "notify-fleet",
    report: { kind: "claims", dispatchId, packId, instanceId, held, reason },
  });
}
