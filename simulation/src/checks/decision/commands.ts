import { TaskEnvelopeSchema, validate } from "@baton/contract";
import type { Command, PipelineState } from "../../kernel.ts";
import { demand } from "../../violation.ts";
import { hasEnded } from "./ended.ts";
import type { Step } from "./step.ts";

/** What is dispatched is sent; what is waited for has a timer; who is lost is told to stop. */
export function checkOrders({ records, commands, input, before }: Step, after: PipelineState): void {
  const timers = new Map(
    commands.flatMap((one) => (one.type === "set-timer" ? [[one.timerId, one.atMs]] : [])),
  );
  for (const record of records) {
    if (record.type === "dispatched") {
      const send = commands.filter((one) => one.type === "send" && one.dispatchId === record.dispatchId);
      demand(
        send.length === 1,
        "what is dispatched is sent, once",
        () => `${record.dispatchId}: ${send.length} commands`,
      );
      demand(
        timers.get(`timeout ${record.dispatchId}`) === record.timeoutAtMs,
        "what is waited for has a timer",
        () => record.dispatchId,
      );
    }
    if (record.type === "retried" && record.wait.kind === "backoff") {
      demand(
        [...timers.values()].includes(record.wait.untilMs),
        "what is waited for has a timer",
        () => `retry of stage ${record.stage}`,
      );
    }
  }
  checkCancels(before, after, input, commands);
  if (after.plan.limits.serial) {
    const busy = after.stages.filter(({ status }) => status === "DISPATCHED").length;
    demand(busy <= 1, "a serial pipeline does one stage at a time", () => `${busy} stages are dispatched`);
  }
}

/** What is sent out keeps the contract at the moment it leaves. */
export function checkEnvelopes({ records, world }: Step): void {
  for (const record of records) {
    if (record.type !== "dispatched") continue;
    const [violation] = validate(TaskEnvelopeSchema, record.envelope, { nowMs: world.nowMs });
    demand(
      violation === undefined,
      "an envelope keeps the contract",
      () => `${violation?.field} ${violation?.message}`,
    );
  }
}

/** An attempt that is given up without an answer: its agent is told to stop. */
function checkCancels(
  before: PipelineState | undefined,
  after: PipelineState,
  input: Step["input"],
  commands: readonly Command[],
): void {
  if (hasEnded(before)) return; // Those who worked there were told when it ended.
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
    demand(
      answered || cancelled,
      "who is given up is told to stop",
      () => `${dispatchId} on "${input.type}"`,
    );
  }
}
