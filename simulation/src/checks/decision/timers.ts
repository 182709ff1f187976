import { type PipelineState, waitOf } from "../../kernel.ts";
import { invariant } from "../../violation.ts";
import { hasEnded } from "./ended.ts";
import type { Model, Step } from "./step.ts";

/**
 * Exactly the waits for a time have timers: whatever ends the wait clears its timer. A timer that fired is gone, also when
 * it fired too early.
 */
export function checkTimers({ input, commands }: Step, after: PipelineState, { timers }: Model): void {
  if (input.type === "timer") timers.delete(input.timerId);
  for (const command of commands) {
    if (command.type === "set-timer") timers.set(command.timerId, command.atMs);
    if (command.type !== "clear-timer") continue;
    invariant(
      timers.delete(command.timerId),
      "only a timer that is set is cleared",
      () => `"${command.timerId}" on "${input.type}"`,
    );
  }
  const awaited = awaitedBy(after);
  const wrong = [...new Set([...timers.keys(), ...awaited.keys()])].find(
    (timerId) => timers.get(timerId) !== awaited.get(timerId),
  );
  invariant(
    wrong === undefined,
    "exactly the waits for a time have timers",
    () => `"${wrong}" is set for ${timers.get(wrong ?? "")}, not ${awaited.get(wrong ?? "")}`,
  );
}

/** The stored rows are the timers that were decided. */
export function checkTimerRows(rows: ReadonlyMap<string, number>, { timers }: Model): void {
  const wrong = [...new Set([...timers.keys(), ...rows.keys()])].find(
    (timerId) => timers.get(timerId) !== rows.get(timerId),
  );
  invariant(
    wrong === undefined,
    "exactly the decided timers are stored",
    () => `"${wrong}" is stored for ${rows.get(wrong ?? "")}, not ${timers.get(wrong ?? "")}`,
  );
}

function awaitedBy(state: PipelineState): ReadonlyMap<string, number> {
  if (hasEnded(state)) return new Map();
  const { deadlineAtMs, stages, plan } = state;
  const awaited = new Map(deadlineAtMs === undefined ? [] : [["deadline", deadlineAtMs]]);
  for (const [place, stage] of stages.entries()) {
    const wait = waitOf(stage);
    if (wait?.kind === "backoff")
      awaited.set(`retry ${stage.attempt} ${plan.stages[place]?.id}`, wait.untilMs);
    if (stage.status !== "DISPATCHED" || stage.phase.kind !== "sent") continue;
    const { dispatchId, timeoutAtMs } = stage.phase.sent;
    awaited.set(`timeout ${dispatchId}`, timeoutAtMs);
  }
  return awaited;
}
