import { EscalationKind } from "@baton/contract";
import type { PipelineState } from "../../kernel.ts";
import { invariant } from "../../violation.ts";
import type { Model, Step } from "./step.ts";

/** How late a timer may fire: the hub may have been down, and its store unavailable several times in a row. */
const latenessMs = 90_000;

/** The invariants of A §4.5 that hold for a single state. */
export function checkLifecycle({ input, before, world }: Step, after: PipelineState): void {
  const { life, stages, plan } = after;
  const inStatus = (status: string) => stages.filter((stage) => stage.status === status).length;
  for (const [status, tallied] of Object.entries(after.tally)) {
    invariant(
      inStatus(status) === tallied,
      "the tally is right",
      () => `${tallied} stages are counted as ${status}`,
    );
  }
  invariant(
    life.status !== "COMPLETED" ||
      stages.every(
        ({ status }, place) =>
          status === "COMPLETED" || (status === "SKIPPED" && !plan.stages[place]?.required),
      ),
    "I1: a pipeline completes only after all its stages",
    () => describe(after),
  );
  invariant(
    life.status !== "RUNNING" || inStatus("READY") + inStatus("DISPATCHED") > 0,
    "I2: a running pipeline has a ready or dispatched stage",
    () => describe(after),
  );
  for (const [place, stage] of stages.entries()) {
    if (stage.status !== "READY" && stage.status !== "DISPATCHED") continue;
    const { dependsOn = [], condition, edges = [] } = plan.stages[place] ?? {};
    const resting = condition || edges.length > 0 ? ["COMPLETED", "SKIPPED"] : ["COMPLETED"];
    invariant(
      dependsOn.every((other) => resting.includes(stages[other]?.status ?? "")),
      "I3: a stage is ready only after all its dependencies have completed",
      () => `stage ${place} of ${describe(after)}`,
    );
  }
  const missed = after.deadlineAtMs !== undefined && world.nowMs > after.deadlineAtMs + latenessMs;
  invariant(!(missed && life.status === "RUNNING"), "I7: a missed deadline pauses", () => describe(after));
  if (
    input.type === "timer" &&
    input.timerId === "deadline" &&
    before?.deadlineAtMs !== undefined &&
    before.life.status === "RUNNING" &&
    world.nowMs >= before.deadlineAtMs
  ) {
    const asked = [...after.escalations.values()].some(({ kind }) => kind === EscalationKind.DEADLINE);
    const expected = plan.limits.softDeadline ? "RUNNING" : "PAUSED";
    invariant(asked && life.status === expected, "I7: a missed deadline pauses", () => describe(after));
  }
}

/** I5 and I6, counted from the records, not from the state. */
export function checkLimits(model: Model, after: PipelineState): void {
  const { policy, retries, rejections } = model;
  const mostRetries = policy?.noRetries ? 0 : policy?.maxTotalRetries || 10;
  const mostRejections = policy?.noRejections ? 0 : policy?.maxRejections || 3;
  invariant(
    retries <= mostRetries,
    "I5: retries stay within max_total_retries",
    () => `${retries} of ${mostRetries}`,
  );
  invariant(
    rejections <= mostRejections,
    "I6: rejections stay within max_rejections",
    () => `${rejections} of ${mostRejections}`,
  );
  invariant(
    after.retriesUsed === retries && after.rejectionsUsed === rejections,
    "the state counts what the records say",
    () =>
      `${after.retriesUsed} retries and ${after.rejectionsUsed} rejections, not ${retries} and ${rejections}`,
  );
}

export function describe({ life, stages }: PipelineState): string {
  return `${life.status} with stages ${stages.map(({ status }) => status).join(" ")}`;
}
