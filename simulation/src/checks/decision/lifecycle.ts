import { EscalationKind } from "@baton/contract";
import type { PipelineState } from "../../kernel.ts";
import { demand } from "../../violation.ts";
import type { Memory, Step } from "./step.ts";

/** How long after its moment a timer may be late: the hub may have been down, and its store away several times in a row. */
const latenessMs = 90_000;

/** The invariants of A §4.5 that a state alone can show; they hold after every decision. */
export function checkLifecycle({ input, before, world }: Step, after: PipelineState): void {
  const { life, stages, plan } = after;
  const inStatus = (status: string) => stages.filter((stage) => stage.status === status).length;
  for (const [status, tallied] of Object.entries(after.tally)) {
    demand(
      inStatus(status) === tallied,
      "the tally is right",
      () => `${tallied} stages are said to be ${status}`,
    );
  }
  demand(
    life.status !== "COMPLETED" ||
      stages.every(
        ({ status }, place) =>
          status === "COMPLETED" || (status === "SKIPPED" && !plan.stages[place]?.required),
      ),
    "I1: a pipeline completes only when all its stages have",
    () => describe(after),
  );
  demand(
    life.status !== "RUNNING" || inStatus("READY") + inStatus("DISPATCHED") > 0,
    "I2: a running pipeline has a stage that is ready or dispatched",
    () => describe(after),
  );
  for (const [place, stage] of stages.entries()) {
    if (stage.status !== "READY" && stage.status !== "DISPATCHED") continue;
    const { dependsOn = [], condition } = plan.stages[place] ?? {};
    const resting = condition ? ["COMPLETED", "SKIPPED"] : ["COMPLETED"];
    demand(
      dependsOn.every((other) => resting.includes(stages[other]?.status ?? "")),
      "I3: a stage is ready only when all that it depends on is completed",
      () => `stage ${place} of ${describe(after)}`,
    );
  }
  const missed = after.deadlineAtMs !== undefined && world.nowMs > after.deadlineAtMs + latenessMs;
  demand(!(missed && life.status === "RUNNING"), "I7: a missed deadline pauses", () => describe(after));
  if (
    input.type === "timer" &&
    input.timerId === "deadline" &&
    before?.deadlineAtMs !== undefined &&
    before.life.status === "RUNNING" &&
    world.nowMs >= before.deadlineAtMs
  ) {
    const asked = [...after.escalations.values()].some(({ kind }) => kind === EscalationKind.DEADLINE);
    const expected = plan.limits.softDeadline ? "RUNNING" : "PAUSED";
    demand(asked && life.status === expected, "I7: a missed deadline pauses", () => describe(after));
  }
}

/** I5 and I6, counted from the records and not from the state. */
export function checkLimits(memory: Memory, after: PipelineState): void {
  const { policy, retries, rejections } = memory;
  const mostRetries = policy?.noRetries ? 0 : policy?.maxTotalRetries || 10;
  const mostRejections = policy?.noRejections ? 0 : policy?.maxRejections || 3;
  demand(
    retries <= mostRetries,
    "I5: retries stay within max_total_retries",
    () => `${retries} of ${mostRetries}`,
  );
  demand(
    rejections <= mostRejections,
    "I6: rejections stay within max_rejections",
    () => `${rejections} of ${mostRejections}`,
  );
  demand(
    after.retriesUsed === retries && after.rejectionsUsed === rejections,
    "the state counts what the records say",
    () =>
      `${after.retriesUsed} retries and ${after.rejectionsUsed} rejections, not ${retries} and ${rejections}`,
  );
}

export function describe({ life, stages }: PipelineState): string {
  return `a pipeline that is ${life.status} with stages ${stages.map(({ status }) => status).join(" ")}`;
}
