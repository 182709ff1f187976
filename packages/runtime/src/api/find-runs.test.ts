import { ListPipelinesRequestSchema, PipelineStatus, RiskTier } from "@baton/contract";
import { stages } from "@baton/kernel/testing";
import { create } from "@bufbuild/protobuf";
import { beforeAll, describe, expect, it } from "vitest";
import { TestAgent } from "../../testing/test-agent.ts";
import { ada, planOf, reaches, read, refusalOf, submit, testHub } from "../../testing/test-hub.ts";

type Labels = Readonly<Record<string, string>>;

function labelled(labels: Labels) {
  return Object.entries(labels).map(([name, value]) => ({ name, value }));
}

describe("runs", () => {
  let hub: Awaited<ReturnType<typeof testHub>>;
  const run = async (key: string, labels: Labels, riskTier: RiskTier, taskType: string) => {
    const contract = { taskId: `task-${key}`, title: "Do it", acceptanceCriteria: ["done"] };
    const plan = planOf(stages({ a: { taskType } }));
    return submit(hub, { idempotencyKey: key, contract, plan, riskTier, labels: labelled(labels) });
  };
  const found = async (filter: string) => {
    const request = create(ListPipelinesRequestSchema, { filter, orderBy: "source_task_id" });
    return (await hub.listPipelines(ada, request)).pipelines.map(({ sourceTaskId }) => sourceTaskId);
  };

  beforeAll(async () => {
    hub = await testHub();
    await new TestAgent(hub, { packId: "dev", instanceId: "dev-1" }).receive("welcome");
    const one = await run("one", { team: "core", "cost-center": "7 b" }, RiskTier.LOW, "code");
    await run("two", { team: "core2" }, RiskTier.CRITICAL, "dance");
    await run("three", {}, RiskTier.LOW, "dance");
    await reaches(hub, one, PipelineStatus.COMPLETED);
  });

  it("[PIP-01] show the labels and the risk that they were submitted with", async () => {
    const { pipelines } = await hub.listPipelines(
      ada,
      create(ListPipelinesRequestSchema, { filter: 'source_task_id = "task-one"' }),
    );
    expect(pipelines[0]?.labels.map(({ name, value }) => `${name}=${value}`)).toEqual([
      "team=core",
      "cost-center=7 b",
    ]);
    const { riskTier } = await read(hub, pipelines[0]?.pipelineId ?? "");
    expect(riskTier).toBe(RiskTier.LOW);
  });

  it.each([
    ['labels.team = "core"', ["task-one"]],
    ['labels.cost-center = "7 b" AND labels.team = core', ["task-one"]],
    ['labels.team = "cor"', []],
    ["labels.none = core", []],
    ["risk_tier = CRITICAL", ["task-two"]],
    ["agent = dev", ["task-one"]],
    ['agent = "dev/dev-1"', ["task-one"]],
    ["agent = de", []],
    ['source_task_id = "task-three"', ["task-three"]],
    ['source_task_id ~ "TASK-T"', ["task-three", "task-two"]],
  ])("[PIP-01] are found by %s", async (filter, expected) => {
    expect(await found(filter)).toEqual(expected);
  });

  it.each(["labels = core", "labels. = core", "labels.* = core", "labels.team != core", "agent ~ dev"])(
    "%s is refused",
    async (filter) => {
      expect(await refusalOf(found(filter))).toMatchObject({ code: "BATON-QUERY-001" });
    },
  );

  it.each([
    [
      "a name twice",
      [
        ["a", "1"],
        ["a", "2"],
      ],
    ],
    ["a name with a blank", [["a b", "1"]]],
    ["a name that ends with a dot", [["a.", "1"]]],
    ["a value with an end of line", [["a", "1\n2"]]],
  ])("%s is refused", async (_, given) => {
    const labels = given.map(([name = "", value = ""]) => ({ name, value }));
    expect(await refusalOf(submit(hub, { idempotencyKey: "bad", labels }))).toMatchObject({
      code: "BATON-SUBMIT-003",
    });
  });
});
