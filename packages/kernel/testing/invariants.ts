import type { StageState } from "../src/pipeline/state/stage-state.ts";
import type { PipelineState } from "../src/pipeline/state/state.ts";

/** The broken invariants of A §4.5. Checked after every decision. */
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
    const met = own?.dependsOn.every((position) => {
      const status = stages[position]?.status;
      const hasCondition = own.condition !== undefined || own.edges.length > 0;
      return status === "COMPLETED" || (hasCondition && status === "SKIPPED");
    });
    if (!met) broken.push(`I3: ${own?.id} is ${stage.status} before what it depends on`);
  }
  if (state.retriesUsed > plan.limits.maxTotalRetries) broken.push("I5: more retries than allowed");
  if (state.rejectionsUsed > plan.limits.maxRejections) broken.push("I6: more rejections than allowed");
  broken.push(...unfollowableAdvice(state));
  const counted = { PENDING: 0, READY: 0, DISPATCHED: 0, COMPLETED: 0, FAILED: 0, SKIPPED: 0 };
  for (const { status } of stages) counted[status]++;
  if (JSON.stringify(counted) !== JSON.stringify(tally)) broken.push("the tally does not count the stages");
  return broken;
}

/** Advice in open questions that cannot be followed: not among the options, or resuming a run that is not paused. */
export function unfollowableAdvice({ escalations, life }: PipelineState): readonly string[] {
  const broken: string[] = [];
  for (const { id, snapshot } of escalations.values()) {
    const advised = ["resume", "retry", "acknowledge"].filter((word) =>
      new RegExp(`\\b${word}\\b`).test(snapshot.recommended),
    );
    for (const word of advised)
      if (!snapshot.options.includes(word)) broken.push(`${id} advises to ${word}, which it does not offer`);
    if (snapshot.options.includes("resume") && life.status !== "PAUSED")
      broken.push(`${id} offers to resume a run that is ${life.status}`);
  }
  return broken;
}
