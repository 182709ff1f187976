/** The SDK agent. The task type determines what it does; it logs every attempt it begins. */
import "../processes/shift-at-start.ts";

import { appendFileSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { setTimeout as pause } from "node:timers/promises";
import { startAgent, type Task } from "@baton/agent";
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
