import type { PipelineState, StageState } from "../src/pipeline/state.ts";

/** Which of the seven invariants of A §4.5 a state breaks, in words. To be asked after every decision. */
export function brokenInvariants(state: PipelineState): readonly string[] {
  const { life, plan, stages, tally } = state;
  const broken: string[] = [];
  const rested = (stage: StageState) => stage.status === "COMPLETED" || stage.status === "SKIPPED";
  if (life.status === "COMPLETED") {
    const unfinished = stages.some((stage, index) =>
      plan.stages[index]?.required ? stage.status !== "COMPLETED" : !rested(stage),
    );
    if (unfinished) broken.push("I1: completed with unfinished stages");
  }
  if (
    life.status === "RUNNING" &&
    !stages.some(({ status }) => status === "READY" || status === "DISPATCHED")
  ) {
    broken.push("I2: running with nothing ready or dispatched");
  }
  for (const [index, stage] of stages.entries()) {
    const own = plan.stages[index];
    if (stage.status !== "READY" && stage.status !== "DISPATCHED") continue;
    const met = own?.dependsOn.every((place) => {
      const status = stages[place]?.status;
      return status === "COMPLETED" || (own.condition !== undefined && status === "SKIPPED");
    });
    if (!met) broken.push(`I3: ${own?.id} is ${stage.status} before what it depends on`);
  }
  if (state.retriesUsed > plan.limits.maxTotalRetries) broken.push("I5: more retries than allowed");
  if (state.rejectionsUsed > plan.limits.maxRejections) broken.push("I6: more rejections than allowed");
  const counted = { PENDING: 0, READY: 0, DISPATCHED: 0, COMPLETED: 0, FAILED: 0, SKIPPED: 0 };
  for (const { status } of stages) counted[status]++;
  if (JSON.stringify(counted) !== JSON.stringify(tally)) broken.push("the tally does not count the stages");
  return broken;
}
