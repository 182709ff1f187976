import {
  AuditEntrySchema,
  GetSpendRequestSchema,
  ListEscalationsRequestSchema,
  Outcome,
  PipelineStatus,
  RaiseSpendLimitRequestSchema,
  ResolveEscalationRequestSchema,
  ResponseStatus,
  SpendPeriod,
} from "@baton/contract";
import type { SpendLimits } from "@baton/kernel";
import { stages } from "@baton/kernel/testing";
import { create, fromBinary } from "@bufbuild/protobuf";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  ada,
  eventually,
  planOf,
  reaches,
  read,
  silent,
  submit,
  TestAgent,
  type TestAgentOptions,
  testHub,
  VirtualClock,
} from "../../testing/index.ts";
import { openMemoryStore } from "../stores/index.ts";

const once = { handoffPolicy: { retry: { maxAttempts: 1 } } };
const single = planOf(stages({ a: once }));

/** Limits in tokens. */
const limitsOf = (daily: number | undefined, monthly?: number): SpendLimits => ({
  others: {
    daily: daily === undefined ? {} : { tokens: daily },
    monthly: monthly === undefined ? {} : { tokens: monthly },
  },
  tenants: new Map(),
});

const call = {
  provider: "anthropic",
  model: "claude",
  calls: 1,
  inputTokens: 60n,
  outputTokens: 10n,
  costMicroUsd: 5n,
};
const usage = { inputTokens: 60n, outputTokens: 10n, costMicroUsd: 5n, models: [call] };

async function hubWith(limits: SpendLimits | undefined, parts: Parameters<typeof testHub>[0] = {}) {
  const hub = await testHub({ spendLimits: limits, ...parts });
  onTestFinished(() => hub.drain(0));
  return hub;
}

type TestHub = Awaited<ReturnType<typeof hubWith>>;

type Answer = NonNullable<TestAgentOptions["answer"]>;

function agentFor(hub: TestHub, answer: Answer = () => ({ usage })) {
  const agent = new TestAgent(hub, { packId: "dev", maxTasks: 20, answer });
  onTestFinished(() => agent.vanish());
  return agent;
}

const spend = (hub: TestHub, groups = {}) => hub.getSpend(ada, create(GetSpendRequestSchema, groups));
const questions = async (hub: TestHub) =>
  (
    await hub.listEscalations(
      ada,
      create(ListEscalationsRequestSchema, { filter: "resolved = false AND kind = BUDGET" }),
    )
  ).escalations;
const raise = (hub: TestHub, tokens: bigint) =>
  hub.raiseSpendLimit(ada, create(RaiseSpendLimitRequestSchema, { tokens, reason: "the release is today" }));
const answer = (hub: TestHub, escalationId: string, resolution: string) =>
  hub.resolveEscalation(
    ada,
    create(ResolveEscalationRequestSchema, { escalationId, resolution, reason: "so" }),
  );

/** The open questions, as soon as there are as many. */
const asked = (hub: TestHub, count: number) =>
  eventually(`${count} questions`, async () => {
    const open = await questions(hub);
    return open.length === count && open;
  });

describe("the spending of a tenant", () => {
  it("[SAC-12] is added up by day, model, agent and template", async () => {
    const hub = await hubWith(undefined);
    agentFor(hub);
    for (const key of ["one", "two"]) {
      await reaches(hub, await submit(hub, { idempotencyKey: key, plan: single }), PipelineStatus.COMPLETED);
    }
    const { rows, total, moreRows, limits } = await spend(hub, {
      byDay: true,
      byModel: true,
      byPack: true,
      byTemplate: true,
    });
    const sum = { inputTokens: 120n, outputTokens: 20n, costMicroUsd: 10n, costUnknown: false };
    expect(rows).toMatchObject([
      { provider: "anthropic", model: "claude", packId: "dev", calls: 2n, usage: sum },
    ]);
    expect(rows[0]?.day).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(total).toMatchObject({ day: "", model: "", packId: "", calls: 2n, usage: sum });
    expect([moreRows, limits]).toEqual([false, []]);
  });

  it("[SAC-12] is that of the caller's tenant alone", async () => {
    const hub = await hubWith(undefined);
    agentFor(hub);
    await reaches(hub, await submit(hub, { plan: single }), PipelineStatus.COMPLETED);
    const other = await hub.getSpend({ ...ada, tenantId: "other" }, create(GetSpendRequestSchema));
    expect(other.total?.usage?.inputTokens).toBe(0n);
  });

  it.each([
    ["to_day", { toDay: "2026-02-30" }],
    ["from_day", { fromDay: "yesterday" }],
    ["from_day", { fromDay: "2026-03-02", toDay: "2026-03-01" }],
    ["from_day", { fromDay: "2020-01-01", toDay: "2026-03-01" }],
  ])("[SAC-12] is refused for a %s that is none", async (field, request) => {
    const hub = await hubWith(undefined);
    const refused = await hub.getSpend(ada, create(GetSpendRequestSchema, request)).catch((error) => error);
    expect(refused).toMatchObject({ kind: "invalid", code: "BATON-QUERY-001", violations: [{ field }] });
  });
});

describe("the limits of a tenant", () => {
  it("[SAC-12] hold a run that would exceed them, ask, and let it go on when a person raises them for the day", async () => {
    const store = await openMemoryStore();
    const hub = await hubWith(limitsOf(70), { store });
    agentFor(hub);
    await reaches(hub, await submit(hub, { idempotencyKey: "one", plan: single }), PipelineStatus.COMPLETED);
    const held = await submit(hub, { idempotencyKey: "two", plan: single });
    const [question] = await asked(hub, 1);
    expect(question?.snapshot?.problem).toBe("the tenant has no room left in its daily limit of 70 tokens");
    expect(question?.cause).not.toBe("");
    expect((await read(hub, held)).stages[0]?.waitingFor).toContain("the tenant's spending limit, until ");
    expect((await spend(hub)).limits).toMatchObject([
      { period: SpendPeriod.DAY, isMoney: false, limit: 70n, spent: 70n, reserved: 0n, raised: 0n },
    ]);

    const { limits } = await raise(hub, 1_000n);
    expect(limits).toMatchObject([{ limit: 1_070n, raised: 1_000n }]);
    await reaches(hub, held, PipelineStatus.COMPLETED);
    expect(await questions(hub)).toEqual([]);
    const orderBy = [{ field: "sequence", descending: false }] as const;
    const rows = await store.auditEntries({
      ...{ tenantId: ada.tenantId, where: [{ field: "eventType", operator: "=", value: "LIMITS_CHANGED" }] },
      ...{ orderBy, after: undefined, limit: 10 },
    });
    expect(rows.map(({ entry }) => fromBinary(AuditEntrySchema, entry))).toMatchObject([
      {
        action: "raised the limit of today by 1000 tokens",
        rationale: "the release is today",
        actor: { id: ada.id },
      },
    ]);
  });

  it("[SAC-12] count across restarts of the hub, and so does what was raised", async () => {
    const store = await openMemoryStore();
    const clock = new VirtualClock();
    const first = await testHub({ store, clock, spendLimits: limitsOf(70) });
    const agent = new TestAgent(first, { packId: "dev", answer: () => ({ usage }) });
    await reaches(
      first,
      await submit(first, { idempotencyKey: "one", plan: single }),
      PipelineStatus.COMPLETED,
    );
    await raise(first, 5n);
    agent.vanish();
    await first.drain(0);

    const hub = await hubWith(limitsOf(70), { store, clock });
    expect((await spend(hub)).limits).toMatchObject([{ limit: 75n, raised: 5n, spent: 70n }]);
  });

  it.each([
    ["day", "daily", Date.UTC(2026, 0, 30, 23, 59, 50), limitsOf(70)],
    ["month", "monthly", Date.UTC(2026, 0, 31, 23, 59, 50), limitsOf(undefined, 70)],
  ])("[SAC-12] begin from zero with the next %s", async (_period, name, startMs, limits) => {
    const clock = new VirtualClock(startMs);
    const hub = await hubWith(limits, { clock });
    const agent = agentFor(hub);
    await reaches(hub, await submit(hub, { idempotencyKey: "one", plan: single }), PipelineStatus.COMPLETED);
    const held = await submit(hub, { idempotencyKey: "two", plan: single });
    const [question] = await asked(hub, 1);
    expect(question?.snapshot?.problem).toContain(`${name} limit`);
    await clock.pass(5_000);
    agent.beat();
    await clock.pass(6_000);
    await reaches(hub, held, PipelineStatus.COMPLETED);
    expect((await spend(hub)).limits).toMatchObject([{ spent: 70n }]);
  });

  it("[SAC-12] that are lifted while the hub runs let waiting runs go on", async () => {
    const hub = await hubWith(limitsOf(0));
    agentFor(hub);
    const run = await submit(hub, { plan: single });
    await asked(hub, 1);
    hub.configure({ templates: new Map() });
    await reaches(hub, run, PipelineStatus.COMPLETED);
  });

  it("[SAC-12] are never exceeded by attempts that run at the same time", async () => {
    const hub = await hubWith(limitsOf(1_000));
    const agent = agentFor(hub, silent);
    for (let run = 0; run < 15; run++) await submit(hub, { idempotencyKey: `r${run}`, plan: single });
    await agent.envelope(10);
    const granted = agent.envelopes.map(({ execution }) => execution?.budget?.maxTokens ?? 0n);
    expect(granted.reduce((sum, one) => sum + one, 0n)).toBe(1_000n);
    expect(await questions(hub)).toEqual([]);
  });

  it.each([
    ["no amount", {}, "BATON-FLEET-012"],
    ["a kind that is not limited", { costMicroUsd: 5n }, "BATON-FLEET-012"],
  ])("[SAC-12] are not raised with %s", async (_what, amounts, code) => {
    const hub = await hubWith(limitsOf(70));
    const request = create(RaiseSpendLimitRequestSchema, { ...amounts, reason: "why" });
    expect(await hub.raiseSpendLimit(ada, request).catch((error) => error)).toMatchObject({ code });
  });

  it("[SAC-12] are not raised where there are none, nor by an agent", async () => {
    const hub = await hubWith(undefined);
    expect(await raise(hub, 5n).catch((error) => error)).toMatchObject({ code: "BATON-FLEET-012" });
    const agent = { ...ada, kind: "agent" as const };
    const request = create(RaiseSpendLimitRequestSchema, { tokens: 5n, reason: "why" });
    expect(await hub.raiseSpendLimit(agent, request).catch((error) => error)).toMatchObject({
      kind: "denied",
    });
  });
});

describe("an agent that stops for lack of budget", () => {
  it("[SAC-12] [PIP-09] goes on in a new attempt when a person answers to raise the budget", async () => {
    const hub = await hubWith(undefined);
    const stopped = {
      status: { outcome: Outcome.PARTIAL },
      response: { status: ResponseStatus.CLARIFICATION_NEEDED, message: "one more page" },
      usage: { inputTokens: 60n },
      budgetNeeded: { maxTokens: 50n },
    };
    agentFor(hub, ({ execution }) =>
      execution?.attemptNumber === 1 ? stopped : { usage: { inputTokens: 45n } },
    );
    const run = await submit(hub, { plan: single, budget: { maxTokens: 100n } });
    const [question] = await asked(hub, 1);
    expect(question?.snapshot?.options).toEqual(["raise", "abort"]);
    await answer(hub, question?.escalationId ?? "", "raise");
    const {
      summary,
      stages: [stage],
    } = await reaches(hub, run, PipelineStatus.COMPLETED);
    expect(summary?.usage?.inputTokens).toBe(105n);
    expect(stage?.attemptNumber).toBe(2);
  });
});
