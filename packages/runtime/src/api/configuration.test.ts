import { ListEscalationsRequestSchema, Outcome, PipelineStatus } from "@baton/contract";
import { readTemplates } from "@baton/kernel";
import { testPolicy } from "@baton/kernel/testing";
import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { ada, ended, reaches, silent, submit, TestAgent, testHub } from "../../testing/index.ts";

const route = (...allowedPackIds: string[]) => ({ taskType: "code", allowedPackIds, minRiskTier: 1 });

function policyOf(version: string, ...packs: string[]) {
  return { ...testPolicy(), version, routes: new Map([["code", route(...packs)]]) };
}

function templatesOf(...stageIds: string[]) {
  const stages = stageIds.map((stage_id, place) => ({
    stage_id,
    task_type: "code",
    depends_on_stages: stageIds.slice(0, place),
  }));
  const reading = readTemplates({
    pipeline_templates: { version: "1", templates: [{ template_id: "work", stages }] },
  });
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  return reading.templates;
}

test("[DIS-04] another policy holds from the next decision on, and the decision is recorded with its version", async () => {
  const hub = await testHub({ policy: policyOf("1", "dev") });
  const dev = new TestAgent(hub, { packId: "dev" });
  const qa = new TestAgent(hub, { packId: "qa" });
  await Promise.all([dev.receive("welcome"), qa.receive("welcome")]);
  await reaches(hub, await submit(hub, { idempotencyKey: "first" }), ...ended);
  hub.configure({ policy: policyOf("2", "qa"), templates: new Map() });
  await reaches(hub, await submit(hub, { idempotencyKey: "second" }), ...ended);
  expect(dev.envelopes.map((sent) => sent.protocolVersion?.policyVersion)).toEqual(["1"]);
  expect(qa.envelopes.map((sent) => sent.protocolVersion?.policyVersion)).toEqual(["2"]);
  await hub.drain(0);
});

test("[DIS-04] who waits for an agent gets one that the new policy allows", async () => {
  const hub = await testHub({ policy: policyOf("1", "qa"), limits: { tickMs: 20 } });
  const dev = new TestAgent(hub, { packId: "dev" });
  await dev.receive("welcome");
  const pipelineId = await submit(hub);
  hub.configure({ policy: policyOf("2", "dev"), templates: new Map() });
  const { status } = await reaches(hub, pipelineId, ...ended);
  expect(status).toBe(PipelineStatus.COMPLETED);
  await hub.drain(0);
});

test("[PIP-01] a running pipeline keeps the template it was started with", async () => {
  const hub = await testHub({ templates: templatesOf("draft", "finish") });
  const dev = new TestAgent(hub, { packId: "dev", answer: silent });
  await dev.receive("welcome");
  const plan = { case: "templateId", value: "work" } as const;
  const before = await submit(hub, { idempotencyKey: "before", plan });
  const draft = await dev.envelope();
  hub.configure({ policy: testPolicy(), templates: templatesOf("only") });
  dev.answer(draft);
  dev.answer(await dev.envelope(2));
  const { stages } = await reaches(hub, before, ...ended);
  expect(stages.map(({ stageId }) => stageId)).toEqual(["draft", "finish"]);
  const after = await submit(hub, { idempotencyKey: "after", plan });
  dev.answer(await dev.envelope(3));
  expect((await reaches(hub, after, ...ended)).stages.map(({ stageId }) => stageId)).toEqual(["only"]);
  await hub.drain(0);
});

test("[DIS-05] the circuit breaker of the policy is the one that holds", async () => {
  const policy = policyOf("1", "dev");
  const circuitBreaker = { errorThreshold: 1, windowMs: 60_000, halfOpenAfterMs: 60_000 };
  const hub = await testHub({ policy: { ...policy, admission: { ...policy.admission, circuitBreaker } } });
  const dev = new TestAgent(hub, {
    packId: "dev",
    answer: () => ({ status: { outcome: Outcome.NON_RETRYABLE_FAILURE, summary: "cannot" } }),
  });
  await dev.receive("welcome");
  await reaches(
    hub,
    await submit(hub, { idempotencyKey: "first" }),
    PipelineStatus.FAILED,
    PipelineStatus.PAUSED,
  );
  await submit(hub, { idempotencyKey: "second" });
  const { escalations } = await hub.listEscalations(ada, create(ListEscalationsRequestSchema));
  expect(escalations.map(({ snapshot }) => snapshot?.problem).join()).toContain("too many tasks of type");
  expect(dev.envelopes).toHaveLength(1);
  await hub.drain(0);
});
