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
    [
      "an unknown field to carry",
      { contextPropagation: { mode: 3, carryFields: ["x"] } },
      {},
      "carry_fields[0]",
    ],
    [
      "decisions to carry of no stage",
      { contextPropagation: { carryDecisions: true } },
      {},
      "carry_decisions",
    ],
    ["a contract with an id of its own", { contractTemplate: { taskId: "x" } }, {}, "task_id"],
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

describe("a task that limits, checks or asks for nothing by mistake", () => {
  type Given = Parameters<typeof task>[0];
  const contract = (parts: NonNullable<NonNullable<Given>["contract"]>): Given => ({
    contract: { taskId: "task-1", title: "Titles become slugs", acceptanceCriteria: ["it works"], ...parts },
  });
  it.each<readonly [string, Given]>([
    ["safety.max_autonomous_steps", { safety: { maxAutonomousSteps: -2 } }],
    ["safety.prohibited_actions[1]", { safety: { prohibitedActions: ["git push", ""] } }],
    ["safety.tool_allowlist[0]", { safety: { toolAllowlist: [" "] } }],
    ["safety.tool_denylist[0]", { safety: { toolDenylist: [""] } }],
    ["safety.auth_scopes[0]", { safety: { authScopes: [""] } }],
    ["contract.acceptance_criteria[0]", contract({ acceptanceCriteria: [""] })],
    ["contract.required_tools[0]", contract({ requiredTools: [""] })],
    ["contract.tests.tests_to_run[0]", contract({ tests: { testsToRun: ["  "] } })],
    ["contract.tests.tests_to_add[0]", contract({ tests: { testsToAdd: ["../a.test.ts"] } })],
    ["contract.expected_files.create[0]", contract({ expectedFiles: { create: ["/etc/passwd"] } })],
    ["contract.expected_files.delete[0]", contract({ expectedFiles: { delete: ["a/../../b"] } })],
  ])("[CON-03] [DIS-16] is refused with the field: %s", async (field, given) => {
    const hub = await testHub();
    const { violations, fix } = await refusalOf(hub.submitTask(ada, task(given)));
    expect(violations.map((one) => one.field)).toEqual([field]);
    expect(fix).not.toBe("");
  });

  it("[PIP-01] says of a label that is repeated that one has to go", async () => {
    const labels = [
      { name: "team", value: "a" },
      { name: "team", value: "b" },
    ];
    const hub = await testHub();
    expect(await refusalOf(hub.submitTask(ada, task({ labels })))).toMatchObject({
      violations: [{ field: "labels[1].name", message: "is repeated" }],
      fix: "remove one of them",
    });
  });
});
