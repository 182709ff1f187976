import { AuditEventType, CancelReason } from "@baton/contract";
import { durationFromMs } from "@bufbuild/protobuf/wkt";
import type { DispatchOutcome } from "../../fleet/decide/inputs-from-report.ts";
import type { Draft } from "../decision/draft.ts";
import { type Sent, waitOf } from "../state/stage-state.ts";
import { retryTimer, timeoutTimer } from "../state/timers.ts";
import { withoutSecrets } from "../state/workspace.ts";

/** Number of attempts that a stage has left. */
export function attemptsLeft(draft: Draft, index: number): number {
  const { attempt, roundStart } = draft.stage(index);
  const ofStage = draft.plan(index).retry.maxAttempts - (attempt - roundStart + 1);
  return Math.max(0, Math.min(ofStage, draft.state.plan.limits.maxTotalRetries - draft.state.retriesUsed));
}

/** Cancels an attempt. The agent may get the cancel twice, and after it has ended. */
export function cancelAttempt(
  draft: Draft,
  index: number,
  sent: Sent,
  reason: CancelReason,
  explanation: string,
  outcome: DispatchOutcome = "cancelled",
): void {
  const { dispatchId, attempt, choice } = sent;
  draft.command({ type: "cancel", dispatchId, attempt, instanceId: choice.instanceId, reason, explanation });
  reportEnded(draft, index, sent, outcome, explanation);
  if (reason === CancelReason.TIMEOUT) return;
  draft.note(AuditEventType.DISPATCH_CANCELLED, "cancelled the attempt", {
    stage: index,
    sent,
    rationale: explanation,
    snapshot: {
      case: "timeout",
      value: { duration: durationFromMs(draft.nowMs - sent.sentAtMs), cancelSignalSent: true },
    },
  });
}

/** Stops what is under way for a stage: its attempt is cancelled and its retry timer cleared. */
export function stopStage(draft: Draft, index: number, reason: CancelReason, explanation: string): void {
  const stage = draft.stage(index);
  if (stage.status === "DISPATCHED" && stage.phase.kind === "sent")
    cancelAttempt(draft, index, stage.phase.sent, reason, explanation);
  if (waitOf(stage)?.kind === "backoff") draft.clearTimer(retryTimer(stage.attempt, draft.plan(index).id));
}

/** Ends an attempt that was sent, once: notifies the fleet and clears the timeout. */
export function reportEnded(
  draft: Draft,
  index: number,
  sent: Sent,
  outcome: DispatchOutcome,
  reason = "",
  handled?: true,
): void {
  const { dispatchId, choice } = sent;
  const { packId, instanceId } = choice;
  const { taskType } = draft.plan(index);
  draft.clearTimer(timeoutTimer(dispatchId));
  draft.command({
    type: "notify-fleet",
    report: {
      kind: "ended",
      ...{ dispatchId, packId, instanceId, taskType, outcome, reason, ...(handled && { handled }) },
      // Masked before the fleet shortens it, so that secrets of several words are recognized. Other secrets are masked on
      // egress.
      error: reason === "" ? "" : withoutSecrets(reason),
    },
  });
}

/** A result of a successful attempt does not count: the agents page lists the attempt as failed. */
export function reportOverturned(draft: Draft, sent: Sent, reason: string): void {
  const { dispatchId, choice } = sent;
  const { packId, instanceId } = choice;
  draft.command({
    type: "notify-fleet",
    report: { kind: "overturned", dispatchId, packId, instanceId, reason: withoutSecrets(reason) },
  });
}
