/** The SDK agent. The task type determines what it does; it logs every attempt it begins. */
import "../processes/shift-at-start.ts";

import { appendFileSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { setTimeout as pause } from "node:timers/promises";
import { StepOutcomeUnknown, startAgent, type Task } from "@baton/agent";
import { type SeenStep, stepMark } from "../checks/steps.ts";
import { limits } from "../limits.ts";
import { heeded, type SdkWork, sdkWork } from "../load/scenarios.ts";
import { isToAgent } from "../processes/messages.ts";
import { shiftClock } from "../processes/shifted-date.ts";

const {
  CHAOS_HUB: hub = "",
  CHAOS_PACK: pack = "",
  CHAOS_INSTANCE: instanceId = "",
  CHAOS_RUNS: runs = "",
  CHAOS_TASK_TYPES: taskTypes = "",
  CHAOS_LOG: logFile = "",
} = process.env;

const work: Record<
  SdkWork,
  (task: Task) => ReturnType<Task["success"]> | Promise<ReturnType<Task["success"]>>
> = {
  quick: (task) => {
    if (task.feedback) task.decision(heeded);
    return task.success("fast");
  },
  slow: async (task) => {
    task.think("working");
    await workInSteps(task);
    await pause(limits.slowMs * (0.5 + Math.random()), undefined, { signal: task.signal });
    task.turn({ confidence: 0.9, action: "waited" });
    return task.success("slow");
  },
  flaky: (task) =>
    attemptOf(task) % 2 === 1
      ? task.failure("fails every other attempt", { retryable: true })
      : task.success("succeeded at last"),
  ask: (task) => (task.answers.length === 0 ? task.ask("which colour?") : task.success("answered")),
  review: (task) => {
    const decisions = task.envelope.contextIn?.decisionMemo?.decisions ?? [];
    const isHeeded = decisions.some(({ description }) => description === heeded);
    return isHeeded ? task.success("approved") : task.retryWithInstruction("try again");
  },
};

/** Logs when a step runs, and when it is stored: the checks compare both. */
async function workInSteps(task: Task): Promise<void> {
  const { idempotencyKey: work = "" } = task.envelope.execution ?? {};
  for (const name of ["plan", "fetch", "write"]) {
    const idempotent = name === "fetch";
    const log = (what: SeenStep["what"]) => {
      const seen: SeenStep = { work, name, idempotent, attempt: attemptOf(task), what };
      appendFileSync(runs, `${stepMark}${JSON.stringify(seen)}\n`);
    };
    const run = async (signal: AbortSignal) => {
      log("ran");
      await pause(Math.random() * limits.slowMs * 0.2, undefined, { signal });
      return name;
    };
    try {
      await task.once(name, { work }, run, { idempotent, usage: { outputTokens: 1 } });
    } catch (error) {
      if (!(error instanceof StepOutcomeUnknown)) throw error;
      await error.settle("unknown");
    }
    log("stored");
  }
}

function attemptOf({ envelope }: Task): number {
  return envelope.execution?.attemptNumber ?? 1;
}

process.on("message", (message) => {
  if (isToAgent(message)) shiftClock(message.ms);
});
// The parent is gone.
process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));
const agent = await startAgent({
  ...{ hub, pack, instanceId, version: "1.0.0", taskTypes: taskTypes.split(",") },
  capacity: limits.agentCapacity,
  safetyTier: "critical",
  onProblem: (problem) => appendFileSync(logFile, `${instanceId} ${problem}\n`),
  run(task) {
    appendFileSync(runs, `${task.envelope.execution?.dispatchId}\n`);
    const type = sdkWork.find((name) => name === task.envelope.routing?.taskType);
    return type ? work[type](task) : task.failure("unknown task type");
  },
});
process.send?.({ kind: "attached" });
// A killed process does not write its compile cache.
flushCompileCache();
await agent.closed;
process.disconnect?.();
