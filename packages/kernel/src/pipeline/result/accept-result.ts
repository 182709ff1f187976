import {
  type AgentResult,
  AuditEventType,
  Confidence,
  EscalationKind,
  Outcome,
  type ResultSnapshot,
} from "@baton/contract";
import { brief } from "../../brief.ts";
import { reportEnded } from "../attempt/end-attempt.ts";
import { type Draft, orchestrator } from "../decision/draft.ts";
import { escalate } from "../decision/escalate.ts";
import { describeOverspend, spendOf } from "../plan/spending.ts";
import { retryOrFail } from "../stage/retry.ts";
import type { Sent } from "../state/stage-state.ts";
import { isConsultation, isWithheld } from "../state/state.ts";
import { findDataViolations, invalidDataAttempt } from "./check-data.ts";
import { evaluate } from "./evaluate.ts";
import { responseSnapshot } from "./response-snapshot.ts";

/** Continues with a result that has passed the guardrails: its data is checked, then its outcome decides. */
export function acceptResult(draft: Draft, index: number, sent: Sent, result: AgentResult): void {
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
      value: {
        ...snapshotOf(recordable(draft, result), false),
        validationError: brief(violations.join("\n")),
      },
    },
  });
  reportOverspending(draft, index, sent, result);
  reportEnded(draft, index, sent, "failed", reason);
  retryOrFail(draft, index, lost);
}

export function reportOverspending(draft: Draft, index: number, sent: Sent, result: AgentResult): void {
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

export function noteResult(
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
    rationale: isWithheld(draft.state) && !validated ? "" : (result.status?.summary ?? ""),
    snapshot: {
      case: "result",
      value: snapshotOf(recordable(draft, result), validated, isWithheld(draft.state)),
    },
  });
}

/** Of the answer of a consulted agent, the record has no text: its reason may repeat the answer that is withheld. */
function recordable({ state }: Draft, { response, ...rest }: AgentResult): AgentResult {
  return response && !isConsultation(state) ? { ...rest, response } : rest;
}

/** An object literal, because `create` is slower and every result has two. An unreadable result has no fields. */
export function snapshotOf(
  result: AgentResult | undefined,
  validationPassed: boolean,
  withheldBefore = false,
): ResultSnapshot {
  const status = result?.status;
  const payload = result?.evidence?.evidencePayload;
  return {
    $typeName: "vasini.agent.v1.ResultSnapshot",
    outcome: status?.outcome ?? Outcome.UNSPECIFIED,
    confidence: status?.confidence ?? Confidence.UNSPECIFIED,
    failureCode: withheldBefore && !validationPassed ? "" : (status?.failureCode ?? ""),
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
    notices: withheldBefore && !validationPassed ? [] : [...(result?.notices ?? [])],
    // A valid result has two entries; the first one has the answer, unless it is withheld until the second.
    ...(result?.response &&
      validationPassed === withheldBefore && { response: responseSnapshot(result.response) }),
  };
}

/** Characters of an unreadable result in the record. */
export const maxRawLength = 16_384;
