import { PipelinePolicySchema, StageSchema } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { expect, it } from "vitest";
import { planPipeline } from "./plan.ts";
import { withTaskRetries } from "./task-policy.ts";

const retry = (maxAttempts: number) => ({ handoffPolicy: { retry: { maxAttempts } } });
const given = {
  stages: [
    create(StageSchema, { stageId: "plain", taskType: "code" }),
    create(StageSchema, { stageId: "stated", taskType: "code", config: retry(2) }),
  ],
  policy: create(PipelinePolicySchema, { maxTotalRetries: 7, maxRejections: 5 }),
};

it.each([
  [undefined, 7, [3, 2]],
  [0, 0, [1, 2]],
  [9, 9, [10, 2]],
])(
  "[PIP-09] max_retries %s allows so many in all, and a stage that states none all of them",
  (maxRetries, total, attempts) => {
    const { stages, policy } = withTaskRetries(given, maxRetries);
    const planned = planPipeline(stages, policy);
    if (!planned.ok) throw new Error(JSON.stringify(planned.problems));
    expect(planned.plan.limits).toMatchObject({ maxTotalRetries: total, maxRejections: 5 });
    expect(planned.plan.stages.map((stage) => stage.retry.maxAttempts)).toEqual(attempts);
  },
);
