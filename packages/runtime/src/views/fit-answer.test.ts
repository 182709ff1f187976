import { ListPipelinesRequestSchema, PipelineStatus } from "@baton/contract";
import { stages } from "@baton/kernel/testing";
import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { ada, eventually, planOf, reaches, submit, TestAgent, testHub } from "../../testing/index.ts";

function chainOf(count: number) {
  const names = Array.from({ length: count }, (_, n) => `stage-${n}`);
  return planOf(stages(Object.fromEntries(names.map((name) => [name, {}]))));
}

describe("an answer with a great many elements", () => {
  it("[CON-05] shows a pipeline of a thousand stages, with all their results", async () => {
    const hub = await testHub();
    const agent = new TestAgent(hub, { packId: "dev" });
    const pipelineId = await submit(hub, { plan: chainOf(1_000) });
    await eventually("the last stage", () => agent.envelopes.length === 1_000);
    const { stages: shown } = await reaches(hub, pipelineId, PipelineStatus.COMPLETED);
    expect(shown.filter(({ result }) => result).length).toBe(1_000);
    await hub.drain(0);
  });

  it("[CON-05] shows a page of many pipelines", async () => {
    const hub = await testHub();
    for (let n = 0; n < 500; n++) await submit(hub, { idempotencyKey: `key-${n}`, plan: chainOf(8) });
    const request = create(ListPipelinesRequestSchema, { pageSize: 1_000 });
    const { pipelines } = await hub.listPipelines(ada, request);
    expect(pipelines.length).toBeGreaterThan(400);
    await hub.drain(0);
  });
});
