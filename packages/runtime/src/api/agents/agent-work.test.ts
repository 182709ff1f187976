import {
  AgentAttemptOutcome,
  type AgentInstance,
  EvidenceType,
  HealthStatus,
  ListAgentsRequestSchema,
  Outcome,
  PipelineStatus,
} from "@baton/contract";
import { stages } from "@baton/kernel/testing";
import { create } from "@bufbuild/protobuf";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { describe, expect, it } from "vitest";
import { ada, planOf, reaches, submit, TestAgent, testHub, VirtualClock } from "../../../testing/index.ts";
import type { Caller } from "../../ports/caller.ts";
import type { Hub } from "../hub.ts";

const bob: Caller = { tenantId: "globex", id: "bob", kind: "human" };
const retry = { maxAttempts: 3, initialBackoff: { nanos: 1_000_000 } };
const onePlan = planOf(stages({ a: { timeout: { seconds: 60n }, handoffPolicy: { retry } } }));

async function agentOf(hub: Hub, caller = ada, recentAttempts = 20): Promise<AgentInstance> {
  const { agents } = await hub.listAgents(caller, create(ListAgentsRequestSchema, { recentAttempts }));
  const [only, ...others] = agents;
  if (!only || others.length > 0) throw new Error(`there are ${agents.length} agents`);
  return only;
}

const failing = (failureReason: string) => () => ({
  status: { outcome: Outcome.RETRYABLE_FAILURE, failureReason },
});

describe("[A §3.4] what an agent did lately", () => {
  it("does not exist before it was given anything", async () => {
    const hub = await testHub();
    await new TestAgent(hub, { packId: "dev" }).receive("welcome");
    expect((await agentOf(hub)).work).toBeUndefined();
  });

  it("says that it failed three of three, with the last error and its run, while its health stays as reported", async () => {
    const hub = await testHub();
    await new TestAgent(hub, { packId: "dev", answer: failing("no such model") }).receive("welcome");
    const pipelineId = await submit(hub, { plan: onePlan });
    await reaches(hub, pipelineId, PipelineStatus.PAUSED);
    const { heartbeat, work } = await agentOf(hub);
    expect(heartbeat?.health?.status).toBe(HealthStatus.HEALTHY);
    expect(work).toMatchObject({ succeeded: 0, failed: 3, consecutiveFailures: 3, failing: true });
    expect(work?.lastFailure).toMatchObject({
      ...{ pipelineId, stageId: "a", dispatchId: `${pipelineId}/a/3`, taskType: "code" },
      ...{ outcome: AgentAttemptOutcome.FAILED, error: "no such model" },
    });
    expect(work?.recentAttempts.map(({ dispatchId }) => dispatchId)).toEqual(
      [3, 2, 1].map((attempt) => `${pipelineId}/a/${attempt}`),
    );
  });

  it("lists as many attempts as are asked for, newest first", async () => {
    const hub = await testHub();
    await new TestAgent(hub, { packId: "dev" }).receive("welcome");
    for (const idempotencyKey of ["one", "two", "three"])
      await reaches(hub, await submit(hub, { idempotencyKey, plan: onePlan }), PipelineStatus.COMPLETED);
    const { work } = await agentOf(hub, ada, 2);
    expect(work).toMatchObject({ succeeded: 3, failed: 0, failing: false });
    expect(work?.lastFailure).toBeUndefined();
    expect(work?.recentAttempts.map(({ outcome }) => outcome)).toEqual([
      AgentAttemptOutcome.SUCCEEDED,
      AgentAttemptOutcome.SUCCEEDED,
    ]);
    expect((await agentOf(hub, ada, 0)).work?.recentAttempts).toEqual([]);
  });

  it("counts work whose checks failed as failed, though the agent reports success", async () => {
    const hub = await testHub();
    const items = [{ type: EvidenceType.TEST, passed: false, ref: "1 failed" }];
    const evidence = { evidencePayload: { case: "items", value: { items } } } as const;
    await new TestAgent(hub, { packId: "dev", tools: ["npm"], answer: () => ({ evidence }) }).receive(
      "welcome",
    );
    const contract = { ...{ taskId: "t", title: "T" }, acceptanceCriteria: ["tests pass"] };
    const environment = { testCommand: "npm test" };
    const pipelineId = await submit(hub, { plan: onePlan, contract: { ...contract, environment } });
    await reaches(hub, pipelineId, PipelineStatus.PAUSED);
    const { work } = await agentOf(hub);
    expect(work).toMatchObject({ succeeded: 0, failed: 3, failing: true });
    expect(work?.lastFailure?.error).toBe("these checks failed: tests");
  });

  it("counts an attempt as lost that ran out of time, and says how long the agent was busy", async () => {
    const clock = new VirtualClock();
    const hub = await testHub({ clock });
    const hung = new TestAgent(hub, { packId: "dev", answer: () => undefined });
    await hung.receive("welcome");
    const pipelineId = await submit(hub, { plan: onePlan });
    await hung.envelope();
    for (let seconds = 0; seconds < 62; seconds += 10) {
      hung.beat();
      await clock.pass(10_000);
    }
    await hung.envelope(2);
    const { work } = await agentOf(hub);
    const [lost] = work?.recentAttempts ?? [];
    expect(lost).toMatchObject({ outcome: AgentAttemptOutcome.LOST, error: "it ran out of time" });
    const { startedAt, endedAt } = lost ?? {};
    expect(startedAt && endedAt && timestampMs(endedAt) - timestampMs(startedAt)).toBeGreaterThanOrEqual(
      60_000,
    );
    expect(work?.busyShare).toBeGreaterThan(0.9);
    expect(work?.busyWindow?.seconds).toBeGreaterThanOrEqual(60n);
    expect(pipelineId).toBe(lost?.pipelineId);
  });

  it("[OBS-05] has no secret in its errors, wherever they are cut", async () => {
    const hub = await testHub();
    const canary = `ghp_${"aB3".repeat(12)}`;
    const reason = `push with ${canary} refused: ${"try it again ".repeat(14)} with ${canary}`;
    await new TestAgent(hub, { packId: "dev", answer: failing(reason) }).receive("welcome");
    await reaches(hub, await submit(hub, { plan: onePlan }), PipelineStatus.PAUSED);
    const { work } = await agentOf(hub);
    expect(work?.lastFailure?.error).toMatch(/^push with \[redacted:[^\]]*\] refused: try it again/);
    const errors = [work?.lastFailure, ...(work?.recentAttempts ?? [])].map((attempt) => attempt?.error);
    expect(errors.join()).not.toContain("ghp_");
  });

  it("is shown to its own tenant only, though the pack and the instance have the same name", async () => {
    const hub = await testHub();
    await new TestAgent(hub, { packId: "dev", answer: failing("hers") }).receive("welcome");
    const his = new TestAgent(hub, { packId: "dev", tenantId: "globex" });
    await his.receive("welcome");
    const hers = await submit(hub, { plan: onePlan });
    await reaches(hub, hers, PipelineStatus.PAUSED);
    const own = await submit(hub, { plan: onePlan }, bob);
    await his.envelope();
    await expect.poll(async () => (await agentOf(hub, bob)).work?.succeeded).toBe(1);
    const { work } = await agentOf(hub, bob);
    expect(work?.recentAttempts.map(({ pipelineId }) => pipelineId)).toEqual([own]);
    expect(work).toMatchObject({ failed: 0, failing: false });
    expect(work?.lastFailure).toBeUndefined();
    expect((await agentOf(hub)).work?.recentAttempts.map(({ pipelineId }) => pipelineId)).toEqual([
      hers,
      hers,
      hers,
    ]);
  });
});
