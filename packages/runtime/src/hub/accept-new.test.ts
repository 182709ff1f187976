import type { PipelinePolicySchema } from "@baton/contract";
import { stages } from "@baton/kernel/testing";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { ada, planOf, refusalOf, task, testHub } from "../../testing/index.ts";

type Config = Parameters<typeof stages>[0][string];
type Policy = MessageInitShape<typeof PipelinePolicySchema>;
type Retry = NonNullable<NonNullable<Config["handoffPolicy"]>["retry"]>;

const seconds = (count: number) => ({ seconds: BigInt(count) });
const retry = (rules: Retry): Config => ({ handoffPolicy: { retry: rules } });

describe("a pipeline that is given with its task", () => {
  it.each<readonly [string, Config, Policy, string]>([
    ["a timeout of zero", { timeout: seconds(0) }, {}, "timeout"],
    ["too much jitter", retry({ jitter: 5 }), {}, "jitter"],
    ["a negative multiplier", retry({ backoffMultiplier: -1 }), {}, "backoff_multiplier"],
    ["a multiplier that shrinks", retry({ backoffMultiplier: 0.5 }), {}, "backoff_multiplier"],
    ["too many attempts", retry({ maxAttempts: 1_000 }), {}, "max_attempts"],
    ["a cap below the first wait", retry({ maxBackoff: { nanos: 1 } }), {}, "max_backoff"],
    ["an unknown field to carry", { contextPropagation: { carryFields: ["x"] } }, {}, "carry_fields[0]"],
    ["a broken schema", { outputSchema: { type: "objekt" } }, {}, "output_schema.type"],
    ["a negative number of retries", {}, { maxTotalRetries: -1 }, "max_total_retries"],
    ["a deadline of zero", {}, { pipelineDeadline: seconds(0) }, "pipeline_deadline"],
    ["a contradiction", {}, { maxRejections: 1, noRejections: true }, "no_rejections"],
  ])("[PIP-01] is refused by the rules of a template: %s", async (_, config, policy, field) => {
    const hub = await testHub();
    const { violations } = await refusalOf(
      hub.submitTask(ada, task({ plan: planOf(stages({ a: config }), policy) })),
    );
    expect(violations.map((one) => one.field.endsWith(field))).toEqual([true]);
  });
});
