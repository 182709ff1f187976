import { EscalationKind } from "@baton/contract";
import type { Draft } from "./decision/draft.ts";
import { escalate } from "./decision/escalate.ts";
import { stageThatSent } from "./result/receive-result.ts";
import { startReady } from "./stage/advance.ts";
import { deadlinePassed, pausePipeline } from "./stage/fail-stage.ts";
import { setTenantLimitTimer } from "./stage/hold-stage.ts";
import { retryNow, timeOut } from "./stage/retry.ts";
import { waitOf } from "./state/stage-state.ts";
import { deadlineTimer, readTimer } from "./state/timers.ts";

/** Ignores a timer whose subject is over; sets one that fired early again. */
export function handleTimer(draft: Draft, timerId: string): void {
  draft.timerFired(timerId);
  const timer = readTimer(timerId);
  if (timer?.kind === "deadline") deadlineFired(draft);
  if (timer?.kind === "tenant-limit") {
    startReady(draft);
    setTenantLimitTimer(draft);
  }
  if (timer?.kind === "identical") startReady(draft);
  if (timer?.kind === "timeout") attemptTimeoutFired(draft, timerId, timer.dispatchId);
  if (timer?.kind === "retry") retryFired(draft, timerId, timer.attempt, timer.stageId);
}

function deadlineFired(draft: Draft): void {
  const { deadlineAtMs } = draft.state;
  if (deadlineAtMs === undefined) return;
  if (draft.nowMs < deadlineAtMs) draft.setTimer(deadlineTimer, deadlineAtMs);
  else passDeadline(draft);
}

function attemptTimeoutFired(draft: Draft, timerId: string, dispatchId: string): void {
  const { deadlineAtMs } = draft.state;
  // When both are due the pipeline pauses first, whichever fires first.
  if (deadlineAtMs !== undefined && draft.nowMs >= deadlineAtMs) passDeadline(draft);
  const index = stageThatSent(draft, dispatchId);
  const stage = index === undefined ? undefined : draft.stage(index);
  if (index === undefined || stage?.status !== "DISPATCHED" || stage.phase.kind !== "sent") return;
  const { sent } = stage.phase;
  if (draft.nowMs < sent.timeoutAtMs) draft.setTimer(timerId, sent.timeoutAtMs);
  else timeOut(draft, index, sent);
}

function retryFired(draft: Draft, timerId: string, attempt: number, stageId: string): void {
  const index = draft.state.plan.indexOf.get(stageId);
  const stage = index === undefined ? undefined : draft.stage(index);
  const wait = stage && waitOf(stage);
  if (index === undefined || wait?.kind !== "backoff" || stage?.attempt !== attempt) return;
  if (draft.nowMs < wait.untilMs) draft.setTimer(timerId, wait.untilMs);
  else retryNow(draft, index);
}

/** I7: a hard deadline pauses and asks; a soft one only reports (A §4.7). */
function passDeadline(draft: Draft): void {
  const { life, plan } = draft.state;
  if (life.status !== "RUNNING" && life.status !== "PAUSED") return;
  draft.clearTimer(deadlineTimer);
  draft.record({ type: "deadline-passed", atMs: draft.nowMs });
  const soft = plan.limits.softDeadline;
  escalate(draft, {
    kind: EscalationKind.DEADLINE,
    snapshot: {
      problem: `the run has not completed within ${plan.limits.deadlineMs} ms`,
      impact: soft ? "none: the deadline is soft" : "the run waits; what runs goes on",
      options: soft ? ["acknowledge", "abort"] : ["resume", "abort"],
      recommended: soft ? "acknowledge" : "resume if the result is still of use",
      blocking: !soft,
    },
  });
  if (!soft) pausePipeline(draft, deadlinePassed);
}
