import {
  AuditEventType,
  GetTenantRequestSchema,
  ListAuditEntriesRequestSchema,
  PausePipelineRequestSchema,
  PipelineStatus,
  ResumePipelineRequestSchema,
  StartTenantRequestSchema,
  StopTenantRequestSchema,
} from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { expect, it, onTestFinished } from "vitest";
import {
  ada,
  dispatchOf,
  eventually,
  reaches,
  read,
  refusalOf,
  silent,
  submit,
  TestAgent,
  testHub,
} from "../../testing/index.ts";
import { openForTest, scratchForTest } from "../stores/sqlite/testing/scratch.ts";
import type { Hub } from "./hub.ts";

const stop = (hub: Hub, reason = "it deletes things") =>
  hub.stopTenant(ada, create(StopTenantRequestSchema, { reason }));
const start = (hub: Hub) => hub.startTenant(ada, create(StartTenantRequestSchema, { reason: "fixed" }));

it("[PIP-10] a stopped tenant dispatches nothing, cancels what runs, and goes on after a restart and a start", async () => {
  const directory = scratchForTest();
  const store = await openForTest(directory);
  const hub = await testHub({ store });
  const agent = new TestAgent(hub, { packId: "dev", maxTasks: 5, answer: silent });
  await agent.receive("welcome");
  const running = await submit(hub, { idempotencyKey: "running" });
  const envelope = await agent.envelope();
  const { tenant } = await stop(hub);
  expect(tenant).toMatchObject({
    tenantId: "acme",
    stopped: true,
    reason: "it deletes things",
    stoppedBy: "ada",
  });
  await reaches(hub, running, PipelineStatus.PAUSED);
  expect((await read(hub, running)).statusReason).toContain("the tenant was stopped: it deletes things");
  const cancel = await agent.receive("cancel");
  expect(cancel.dispatchId).toBe(dispatchOf(envelope));
  // What comes in meanwhile is kept, and paused at once.
  const later = await submit(hub, { idempotencyKey: "later" });
  expect((await read(hub, later)).status).toBe(PipelineStatus.PAUSED);
  const resume = create(ResumePipelineRequestSchema, { pipelineId: later, reason: "now" });
  expect(await refusalOf(hub.resumePipeline(ada, resume))).toMatchObject({
    code: "BATON-PIPELINE-002",
    fix: expect.stringContaining("tenant start"),
  });
  expect(await refusalOf(stop(hub))).toMatchObject({ code: "BATON-FLEET-011" });
  expect(agent.envelopes).toHaveLength(1);
  // Another tenant works on.
  const other = { ...ada, tenantId: "other" };
  expect((await hub.getTenant(other, create(GetTenantRequestSchema))).tenant?.stopped).toBe(false);
  agent.vanish();
  await hub.drain(0);
  await store.close();

  const again = await openForTest(directory);
  const next = await testHub({ store: again });
  onTestFinished(() => next.drain(0).then(() => again.close()));
  expect(next.stoppedTenants()).toEqual(["acme"]);
  const back = new TestAgent(next, { packId: "dev", maxTasks: 5 });
  await back.receive("welcome");
  expect((await read(next, running)).status).toBe(PipelineStatus.PAUSED);
  expect(back.envelopes).toEqual([]);
  await start(next);
  for (const id of [running, later]) await reaches(next, id, PipelineStatus.COMPLETED);
  expect(next.stoppedTenants()).toEqual([]);
  const { entries } = await next.listAuditEntries(
    ada,
    create(ListAuditEntriesRequestSchema, { pageSize: 1_000 }),
  );
  const halts = entries.filter(({ eventType }) =>
    [AuditEventType.TENANT_STOPPED, AuditEventType.TENANT_STARTED].includes(eventType),
  );
  expect(halts.map(({ actor, rationale }) => [actor?.id, rationale]).toSorted()).toEqual([
    ["ada", "fixed"],
    ["ada", "it deletes things"],
  ]);
});

it("[PIP-10] an attempt that was cancelled with its tenant costs no retry, and what a person paused stays paused", async () => {
  const hub = await testHub();
  onTestFinished(() => hub.drain(0));
  const agent = new TestAgent(hub, { packId: "dev", answer: silent });
  await agent.receive("welcome");
  const pipelineId = await submit(hub);
  await agent.envelope();
  const paused = await submit(hub, { idempotencyKey: "paused" });
  await hub.pausePipeline(ada, create(PausePipelineRequestSchema, { pipelineId: paused, reason: "mine" }));
  for (let round = 2; round < 6; round++) {
    await stop(hub);
    await reaches(hub, pipelineId, PipelineStatus.PAUSED);
    await start(hub);
    await eventually("another attempt", () => agent.envelopes.length === round);
  }
  agent.answer(agent.envelopes.at(-1) as (typeof agent.envelopes)[0]);
  await reaches(hub, pipelineId, PipelineStatus.COMPLETED);
  expect(await read(hub, paused)).toMatchObject({ status: PipelineStatus.PAUSED, statusReason: "mine" });
});
