import { GetTransitionsResponseSchema, ListPipelinesRequestSchema, PipelineStatus } from "@baton/contract";
import { stages } from "@baton/kernel/testing";
import { create, toJsonString } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { ada, eventually, planOf, reaches, submit, TestAgent, testHub } from "../../testing/index.ts";
import { fitAnswer } from "./fit-answer.ts";

function chainOf(count: number) {
  const names = Array.from({ length: count }, (_, n) => `stage-${n}`);
  return planOf(stages(Object.fromEntries(names.map((name) => [name, {}]))));
}

describe("a response with many elements", () => {
  it("[CON-05] shows a pipeline of a thousand stages, with all their results", async () => {
    const hub = await testHub();
    const agent = new TestAgent(hub, { packId: "dev" });
    const pipelineId = await submit(hub, { plan: chainOf(1_000) });
    await eventually("the last stage", () => agent.envelopes.length === 1_000);
    const { stages: listed } = await reaches(hub, pipelineId, PipelineStatus.COMPLETED);
    expect(listed.filter(({ result }) => result).length).toBe(1_000);
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

  it("[CON-05] returns the last items that fit of a list without pages", () => {
    const reason = "and then it broke ".repeat(200);
    const transitions = Array.from({ length: 5_000 }, (_, n) => ({ revision: BigInt(n + 1), reason }));
    const answer = create(GetTransitionsResponseSchema, { transitions });
    const fitting = fitAnswer(answer) as typeof answer;
    const bytes = toJsonString(GetTransitionsResponseSchema, fitting).length;
    expect(bytes).toBeLessThan(4 * 1024 * 1024);
    expect(bytes).toBeGreaterThan(4 * 1024 * 1024 - 32 * 1024);
    expect(fitting.transitions).toEqual(answer.transitions.slice(-fitting.transitions.length));
    const few = create(GetTransitionsResponseSchema, { transitions: transitions.slice(0, 10) });
    expect(fitAnswer(few)).toBe(few);
  });
});
