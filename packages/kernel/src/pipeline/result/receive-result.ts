import {
  type AgentResult,
  AuditEventType,
  Confidence,
  EscalationKind,
  Outcome,
  type ResultSnapshot,
} from "@baton/contract";
import { brief } from "../../brief.ts";
import { findFault } from "../../dispatch/receive.ts";
import { reportEnded } from "../attempt/end-attempt.ts";
import { type Draft, orchestrator } from "../decision/draft.ts";
import { escalate } from "../decision/escalate.ts";
import type { Answer } from "../decision/input.ts";
import { credibleSpend, describeOverspend, spendOf } from "../plan/spending.ts";
import { retryOrFail } from "../stage/retry.ts";
import type { Sent } from "../state/stage-state.ts";
import { findDataViolations, invalidDataAttempt } from "./check-data.ts";
import { evaluate } from "./evaluate.ts";
import { responseSnapshot } from "./response-snapshot.ts";

/** Step 7 of dispatch (A §3.2): a result counts at most once, and only for the active attempt. */
export function receiveResult(draft: Draft, dispatchId: string, answer: Answer): void {
  const index = stageThatSent(draft, dispatchId);
  const stage = index === undefined ? undefined : draft.stage(index);
  if (index === undefined || stage?.status !== "DISPATCHED" || stage.phase.kind !== "sent") {
    return disregard(draft, dispatchId, answer, "the attempt is over");
  }
  const { sent } = stage.phase;
  if (answer.kind === "unreadable") return refuse(draft, index, sent, answer.reason, undefined, answer.raw);
  const { result } = answer;
  const fault = findFault(sent.envelope, result, draft.world.schemaVersion);
  if (fault) return refuse(draft, index, sent, fault, result);
  noteResult(draft, index, sent, result, AuditEventType.RESULT_RECEIVED);
  draft.record({ type: "received", stage: index, result, atMs: draft.nowMs });
  const violations = findDataViolations(sent, result);
  if (violations.length > 0) return refuseData(draft, index, sent, result, violations);
  noteResult(draft, index, sent, result, AuditEventType.RESULT_VALIDATED);
  reportOverspending(draft, index, sent, result);
  evaluate(draft, index, sent, result);
}

/** Refuses data that violates the schema of stage or pack. Does not count towards quarantine: it is a valid result. */
function refuseData(
  draft: Draft,
  index: number,
  sent: Sent,
  result: AgentResult,
  violations: readonly string[],
): void {
  const lost = invalidDataAttempt(draft, index, sent, result, violations);
  const { reason } = lost.failure;
  draft.note(AuditEventType.RESULT_INVALID, "refused the data of a result", {
    stage: index,
    sent,
    rationale: reason,
    snapshot: {
      case: "result",
      value: { ...snapshotOf(result, false), validationError: brief(violations.join("\n")) },
    },
  });
  reportOverspending(draft, index, sent, result);
  reportEnded(draft, index, sent, "failed", reason);
  retryOrFail(draft, index, lost);
}

/** The stage whose active attempt has this id. Ids consist of pipeline, stage and attempt. */
export function stageThatSent(draft: Draft, dispatchId: string): number | undefined {
  const { id, plan } = draft.state;
  if (!dispatchId.startsWith(id) || dispatchId[id.length] !== "/") return undefined;
  const end = dispatchId.lastIndexOf("/");
  const index = plan.indexOf.get(dispatchId.slice(id.length + 1, end));
  if (index === undefined) return undefined;
  const stage = draft.stage(index);
  const current =
    stage.status === "DISPATCHED" && stage.phase.kind !== "preparing" ? stage.phase.sent.dispatchId : "";
  return current === dispatchId ? index : undefined;
}

/** Fencing: a late or foreign result is recorded and changes only the known spending (DIS-13). */
export function disregard(draft: Draft, dispatchId: string, answer: Answer, reason: string): void {
  const isOwn = answer.kind === "result" && answer.result.dispatchId === dispatchId;
  const spent = isOwn ? credibleSpend(answer.result.usage) : undefined;
  const held = draft.state.spending.held.has(dispatchId);
  draft.record({
    type: "disregarded",
    dispatchId,
    reason,
    spent: held ? spent : undefined,
    atMs: draft.nowMs,
  });
  draft.note(AuditEventType.RESULT_RECEIVED, "disregarded a result", {
    dispatchId,
    rationale: `${dispatchId}: ${reason}`,
    ...(answer.kind === "result" && {
      snapshot: { case: "result", value: snapshotOf(answer.result, false) },
    }),
  });
}

/** Refuses an invalid result: the attempt ends and counts against the instance, and routing decides about the next one. */
function refuse(
  draft: Draft,
  index: number,
  sent: Sent,
  fault: string,
  result: AgentResult | undefined,
  rawText = "",
): void {
  const { dispatchId } = sent;
  const { packId, instanceId } = sent.choice;
  const spent = result?.dispatchId === dispatchId ? credibleSpend(result.usage) : undefined;
  draft.record({ type: "disregarded", dispatchId, reason: fault, spent, atMs: draft.nowMs });
  draft.note(AuditEventType.RESULT_INVALID, "refused a result", {
    stage: index,
    sent,
    rationale: fault,
    snapshot: {
      case: "result",
      value: {
        ...snapshotOf(result, false),
        validationError: fault,
        rawText: rawText.slice(-maxRawLength).toWellFormed(),
        schemaVersionExpected: draft.world.schemaVersion,
        // The fleet counts this one after the decision.
        consecutiveInvalidResults: draft.fleet.invalidResultsInARow(packId, instanceId) + 1,
      },
    },
  });
  reportEnded(draft, index, sent, "invalid", fault);
  retryOrFail(draft, index, { failure: { code: "INVALID_RESULT", reason: fault, result }, counts: true });
}

function reportOverspending(draft: Draft, index: number, sent: Sent, result: AgentResult): void {
  const over = describeOverspend(spendOf(result.usage), sent.granted);
  if (!over) return;
  escalate(draft, {
    kind: EscalationKind.BUDGET,
    stage: index,
    sent,
    snapshot: {
      problem: `${sent.choice.instanceId} spent ${over} that it was given`,
      impact: "what is left of the budget is less than planned",
      options: ["acknowledge", "abort"],
      recommended: "acknowledge",
      blocking: false,
    },
  });
}

function noteResult(
  draft: Draft,
  index: number,
  sent: Sent,
  result: AgentResult,
  event: AuditEventType,
): void {
  const action = event === AuditEventType.RESULT_VALIDATED ? "the result is valid" : "received a result";
  const validated = event === AuditEventType.RESULT_VALIDATED;
  draft.note(event, action, {
    stage: index,
    sent,
    actor: validated ? orchestrator : { kind: "agent", id: sent.choice.instanceId },
    rationale: result.status?.summary ?? "",
    snapshot: { case: "result", value: snapshotOf(result, validated) },
  });
}

/** An object literal, because `create` is slower and every result has two. An unreadable result has no fields. */
function snapshotOf(result: AgentResult | undefined, validationPassed: boolean): ResultSnapshot {
  const status = result?.status;
  const payload = result?.evidence?.evidencePayload;
  return {
    $typeName: "vasini.agent.v1.ResultSnapshot",
    outcome: status?.outcome ?? Outcome.UNSPECIFIED,
    confidence: status?.confidence ?? Confidence.UNSPECIFIED,
    failureCode: status?.failureCode ?? "",
    artifactsCount: result?.artifacts.length ?? 0,
    evidenceCount: payload?.case === "items" ? payload.value.items.length : 0,
    blockersCount: result?.blockers.length ?? 0,
    timing: result?.timing,
    validationPassed,
    validationError: "",
    schemaVersionReceived: result?.protocolVersion?.schemaVersion ?? "",
    schemaVersionExpected: "",
    consecutiveInvalidResults: 0,
    usage: result?.usage,
    rawText: "",
    notices: [...(result?.notices ?? [])],
    // A valid result has two entries; the first one has the answer.
    ...(result?.response && !validationPassed && { response: responseSnapshot(result.response) }),
  };
}

/** Characters of an unreadable result in the record. */
const maxRawLength = 16_384;
