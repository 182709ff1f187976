import { type AgentResult, AuditEventType } from "@baton/contract";
import { findFault } from "../../dispatch/receive.ts";
import { consultedResult } from "../alignment/consulted-result.ts";
import { reportEnded } from "../attempt/end-attempt.ts";
import type { Draft } from "../decision/draft.ts";
import type { Answer } from "../decision/input.ts";
import { credibleSpend } from "../plan/spending.ts";
import { retryOrFail } from "../stage/retry.ts";
import type { Sent } from "../state/stage-state.ts";
import { isConsultation, isWithheld } from "../state/state.ts";
import { maxRawLength, noteResult, snapshotOf } from "./accept-result.ts";
import { alignResult } from "./align-output.ts";
import { guardCommand } from "./guard-answer.ts";

/** Step 7 of dispatch (A §3.2): a result counts at most once, and only for the active attempt. */
export function receiveResult(draft: Draft, dispatchId: string, answer: Answer): void {
  const index = stageThatSent(draft, dispatchId);
  const stage = index === undefined ? undefined : draft.stage(index);
  if (index === undefined || stage?.status !== "DISPATCHED" || stage.phase.kind !== "sent") {
    return disregard(draft, dispatchId, answer, "the attempt is over");
  }
  const { sent } = stage.phase;
  if (answer.kind === "unreadable") return refuse(draft, index, sent, answer.reason, undefined, answer.raw);
  const fault = findFault(sent.envelope, answer.result, draft.world.schemaVersion);
  if (fault) return refuse(draft, index, sent, fault, answer.result);
  const result = isConsultation(draft.state) ? consultedResult(answer.result) : answer.result;
  noteResult(draft, index, sent, result, AuditEventType.RESULT_RECEIVED);
  const guard = guardCommand(draft, index, sent, result);
  draft.record({
    type: "received",
    stage: index,
    result,
    ...(guard && { guarding: true }),
    atMs: draft.nowMs,
  });
  if (guard) draft.command(guard);
  else alignResult(draft, index, sent, result);
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
      snapshot: { case: "result", value: snapshotOf(answer.result, false, isWithheld(draft.state)) },
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
  // Nobody sees what is not checked against the constitution.
  const visible = isWithheld(draft.state) ? undefined : result;
  const spent = result?.dispatchId === dispatchId ? credibleSpend(result.usage) : undefined;
  draft.record({ type: "disregarded", dispatchId, reason: fault, spent, atMs: draft.nowMs });
  draft.note(AuditEventType.RESULT_INVALID, "refused a result", {
    stage: index,
    sent,
    rationale: fault,
    snapshot: {
      case: "result",
      value: {
        ...snapshotOf(visible, false),
        validationError: fault,
        rawText: isWithheld(draft.state) ? "" : rawText.slice(-maxRawLength).toWellFormed(),
        schemaVersionExpected: draft.world.schemaVersion,
        // The fleet counts this one after the decision.
        consecutiveInvalidResults: draft.fleet.invalidResultsInARow(packId, instanceId) + 1,
      },
    },
  });
  reportEnded(draft, index, sent, "invalid", fault);
  retryOrFail(draft, index, {
    failure: { code: "INVALID_RESULT", reason: fault, result: visible },
    counts: true,
  });
}
