import { PipelineStatus, StageStatus } from "@baton/contract";
import { stages } from "@baton/kernel/testing";
import { expect, test } from "vitest";
import { ada, ended, reaches, TestAgent, task, testHub } from "../../testing/index.ts";

test("[PIP-03] a pipeline of three stages runs through agents that are attached", async () => {
  const hub = await testHub();
  const dev = new TestAgent(hub, { packId: "dev" });
  const qa = new TestAgent(hub, { packId: "qa" });
  const plan = stages({ implement: {}, check: { taskType: "review" }, polish: {} });
  const { pipeline, existing } = await hub.submitTask(
    ada,
    task({ plan: { case: "pipeline", value: { name: "Three", stages: plan } } }),
  );
  expect(existing).toBe(false);
  const done = await reaches(hub, pipeline?.pipelineId ?? "", ...ended);
  expect(done.status).toBe(PipelineStatus.COMPLETED);
  expect(done.stages.map(({ status }) => status)).toEqual(Array(3).fill(StageStatus.COMPLETED));
  expect([dev.envelopes.length, qa.envelopes.length]).toEqual([2, 1]);
  await hub.drain(0);
});

test("[OBS-01] a pipeline goes on with the trace of the call that made it, down to its agents", async () => {
  const hub = await testHub();
  const dev = new TestAgent(hub, { packId: "dev" });
  await dev.receive("welcome");
  const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
  const { pipeline } = await hub.submitTask({ ...ada, traceId }, task());
  expect(pipeline?.trace?.traceId).toBe(traceId);
  await reaches(hub, pipeline?.pipelineId ?? "", ...ended);
  expect(dev.envelopes[0]?.trace?.traceId).toBe(traceId);
  await hub.drain(0);
});
