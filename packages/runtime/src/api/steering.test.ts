import {
  AuditEventType,
  CancelStageRequestSchema,
  ChangeLimitsRequestSchema,
  FailureStrategy,
  ListAuditEntriesRequestSchema,
  Outcome,
  OverrideStageRequestSchema,
  PipelineStatus,
  SkipStageRequestSchema,
  StageStatus,
} from "@baton/contract";
import { stages } from "@baton/kernel/testing";
import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { expect, it } from "vitest";
import { dispatchOf, silent, TestAgent } from "../../testing/test-agent.ts";
import { ada, planOf, reaches, read, refusalOf, submit, testHub } from "../../testing/test-hub.ts";

const pausing = { failureStrategy: FailureStrategy.PAUSE };
const failing = {
  status: { outcome: Outcome.NON_RETRYABLE_FAILURE, summary: "no", failureReason: "it cannot be done" },
};
const reason = "so it shall be";

async function hubWith(answer: ConstructorParameters<typeof TestAgent>[1]["answer"]) {
  const hub = await testHub();
  const agent = new TestAgent(hub, { packId: "dev", ...(answer && { answer }) });
  await agent.receive("welcome");
  return { hub, agent };
}

async function audited(hub: Awaited<ReturnType<typeof testHub>>, pipelineId: string, type: AuditEventType) {
  const filter = `pipeline_id = "${pipelineId}" AND event_type = ${AuditEventType[type]}`;
  const request = create(ListAuditEntriesRequestSchema, { filter });
  const { entries } = await hub.listAuditEntries(ada, request);
  return entries.map(({ actor, stageId, rationale }) => [actor?.id, stageId, rationale]);
}

it("[PIP-10] cancels one stage at its agent, and the run follows its failure strategy", async () => {
  const { hub, agent } = await hubWith(silent);
  const pipelineId = await submit(hub, { plan: planOf(stages({ a: {}, b: {} }), pausing) });
  const envelope = await agent.envelope();
  const { pipeline } = await hub.cancelStage(
    ada,
    create(CancelStageRequestSchema, { pipelineId, stageId: "a", reason }),
  );
  expect(pipeline?.status).toBe(PipelineStatus.PAUSED);
  expect(pipeline?.stages[0]?.status).toBe(StageStatus.FAILED);
  expect((await agent.receive("cancel")).dispatchId).toBe(dispatchOf(envelope));
  expect(await audited(hub, pipelineId, AuditEventType.STAGE_CANCELLED)).toEqual([["ada", "a", reason]]);
});

it("[PIP-10] skips a failed stage, and the run completes", async () => {
  const { hub } = await hubWith(({ routing }) => (routing?.taskType === "code" ? failing : {}));
  const plan = planOf(stages({ a: { required: false } }), pausing);
  const pipelineId = await submit(hub, { plan });
  await reaches(hub, pipelineId, PipelineStatus.PAUSED);
  await hub.skipStage(ada, create(SkipStageRequestSchema, { pipelineId, stageId: "a", reason }));
  const { status, stages: listed } = await read(hub, pipelineId);
  expect([status, listed[0]?.status]).toEqual([PipelineStatus.COMPLETED, StageStatus.SKIPPED]);
  expect(await audited(hub, pipelineId, AuditEventType.STAGE_SKIPPED)).toEqual([["ada", "a", reason]]);
});

it("[PIP-10] overrides a failed stage with a person's work, which the next one receives", async () => {
  const { hub, agent } = await hubWith(({ execution }) =>
    execution?.dispatchId.includes("/a/") ? failing : {},
  );
  const next = { contextPropagation: { mode: 2, carryDecisions: true } };
  const pipelineId = await submit(hub, { plan: planOf(stages({ a: {}, b: next }), pausing) });
  await reaches(hub, pipelineId, PipelineStatus.PAUSED);
  const value = {
    summary: "done by hand",
    contextOut: { decisionsMade: [{ decisionId: "d-1", description: "keep it" }] },
  };
  const request = { pipelineId, stageId: "a", reason, result: { case: "provided", value } } as const;
  await hub.overrideStage(ada, create(OverrideStageRequestSchema, request));
  const { stages: listed } = await reaches(hub, pipelineId, PipelineStatus.COMPLETED);
  expect(listed[0]).toMatchObject({
    assignedInstanceId: "ada",
    result: { status: { summary: "done by hand" } },
  });
  const decisions = agent.envelopes.at(-1)?.contextIn?.decisionMemo?.decisions;
  expect(decisions?.map(({ decisionId }) => decisionId)).toEqual(["d-1"]);
  expect(await audited(hub, pipelineId, AuditEventType.STAGE_OVERRIDDEN)).toEqual([["ada", "a", reason]]);
});

it("[PIP-09] raises the budget of a stage that waits for one, and refuses less than what is spent", async () => {
  const { hub } = await hubWith(() => ({ usage: { outputTokens: 100n } }));
  const once = { handoffPolicy: { retry: { maxAttempts: 1 } } };
  const plan = planOf(stages({ a: once, b: once }), { budget: { maxTokens: 100n } });
  const pipelineId = await submit(hub, { plan });
  await expect.poll(async () => (await read(hub, pipelineId)).waitsForPerson).toBe(true);
  const change = (maxTokens: bigint) =>
    hub.changeLimits(ada, create(ChangeLimitsRequestSchema, { pipelineId, reason, budget: { maxTokens } }));
  expect(await refusalOf(change(99n))).toMatchObject({ code: "BATON-PIPELINE-010" });
  const { pipeline } = await change(1000n);
  expect(pipeline?.policy?.budget?.maxTokens).toBe(1000n);
  await reaches(hub, pipelineId, PipelineStatus.COMPLETED);
  expect(await audited(hub, pipelineId, AuditEventType.LIMITS_CHANGED)).toEqual([["ada", "", reason]]);
});

it("[PIP-09] moves a deadline, and shows the new one", async () => {
  const { hub } = await hubWith(silent);
  const pipelineId = await submit(hub, {
    plan: planOf(stages({ a: {} }), { pipelineDeadline: { seconds: 3600n } }),
  });
  const before = await read(hub, pipelineId);
  const createdMs = Number(before.createdAt?.seconds ?? 0n) * 1000;
  const deadline = timestampFromMs(createdMs + 7_200_000);
  await hub.changeLimits(ada, create(ChangeLimitsRequestSchema, { pipelineId, reason, deadline }));
  const { policy } = await read(hub, pipelineId);
  expect(Number(policy?.pipelineDeadline?.seconds)).toBeGreaterThan(7_190);
});
