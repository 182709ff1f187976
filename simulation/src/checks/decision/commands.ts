import { TaskEnvelopeSchema, validate } from "@baton/contract";
import type { Command, PipelineState } from "../../kernel.ts";
import { invariant } from "../../violation.ts";
import { hasEnded } from "./ended.ts";
import type { Step } from "./step.ts";

/** Every dispatch is sent, every wait has a timer, every attempt that was given up is cancelled. */
export function checkOrders({ records, commands, input, before }: Step, after: PipelineState): void {
  const timers = new Map(
    commands.flatMap((one) => (one.type === "set-timer" ? [[one.timerId, one.atMs]] : [])),
  );
  for (const record of records) {
    if (record.type === "dispatched") {
      const send = commands.filter((one) => one.type === "send" && one.dispatchId === record.dispatchId);
      invariant(
        send.length === 1,
        "every dispatch is sent once",
        () => `${record.dispatchId}: ${send.length} commands`,
      );
      invariant(
        timers.get(`timeout ${record.dispatchId}`) === record.timeoutAtMs,
        "every wait has a timer",
        () => record.dispatchId,
      );
    }
    if (record.type === "retried" && record.wait.kind === "backoff") {
      invariant(
        [...timers.values()].includes(record.wait.untilMs),
        "every wait has a timer",
        () => `retry of stage ${record.stage}`,
      );
    }
  }
  checkCancels(before, after, input, commands);
  if (after.plan.limits.serial) {
    const busy = after.stages.filter(({ status }) => status === "DISPATCHED").length;
    invariant(busy <= 1, "a serial pipeline runs one stage at a time", () => `${busy} stages are dispatched`);
  }
}

export function checkEnvelopes({ records, world }: Step): void {
  for (const record of records) {
    if (record.type !== "dispatched") continue;
    const [violation] = validate(TaskEnvelopeSchema, record.envelope, { nowMs: world.nowMs });
    invariant(
      violation === undefined,
      "an envelope satisfies the contract",
      () => `${violation?.field} ${violation?.message}`,
    );
  }
}

/** An attempt that is given up without an answer is cancelled. */
function checkCancels(
  before: PipelineState | undefined,
  after: PipelineState,
  input: Step["input"],
  commands: readonly Command[],
): void {
  if (hasEnded(before)) return; // Its attempts were cancelled when it ended.
  for (const [place, stage] of before?.stages.entries() ?? []) {
    if (stage.status !== "DISPATCHED" || stage.phase.kind !== "sent") continue;
    const { dispatchId } = stage.phase.sent;
    const next = after.stages[place];
    if (
      next?.status === "DISPATCHED" &&
      next.phase.kind === "sent" &&
      next.phase.sent.dispatchId === dispatchId
    )
      continue;
    const answered =
      (input.type === "result" || input.type === "not-delivered") && input.dispatchId === dispatchId;
    const cancelled = commands.some((one) => one.type === "cancel" && one.dispatchId === dispatchId);
    invariant(
      answered || cancelled,
      "an attempt that is given up is cancelled",
      () => `${dispatchId} on "${input.type}"`,
    );
  }
}
