import { hash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type AuditEntry,
  AuditEntrySchema,
  AuditEventType,
  ListAuditEntriesRequestSchema,
  ListPipelinesRequestSchema,
  Outcome,
  type Pipeline,
  PipelineStatus,
  StageStatus,
} from "@baton/contract";
import { verifyChain } from "@baton/kernel";
import { stages } from "@baton/kernel/testing";
import { create, fromBinary } from "@bufbuild/protobuf";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  ada,
  calm,
  dispatchOf,
  ended,
  eventually,
  type Life,
  Lives,
  planOf,
  reaches,
  read,
  settles,
  silent,
  submit,
  TestAgent,
  task,
  VirtualClock,
} from "../../testing/index.ts";
import type { Store } from "../ports/store.ts";
import { openMemoryStore, openSqliteStore } from "../stores/index.ts";
import type { Point } from "./engine.ts";

const kinds: Readonly<Record<string, () => Promise<Store>>> = {
  "a store in memory": async () => openMemoryStore(),
  "a store in SQLite": async () => {
    const directory = mkdtempSync(join(tmpdir(), "baton-restart-"));
    const store = await openSqliteStore({ directory });
    onTestFinished(async () => {
      await store.close();
      rmSync(directory, { recursive: true, force: true });
    });
    return store;
  },
};

const soon = { handoffPolicy: { retry: { maxAttempts: 3, initialBackoff: { nanos: 1_000_000 } } } };
const diamond = () =>
  planOf(
    stages({
      a: soon,
      b: { ...soon, dependsOnStages: ["a"], taskType: "review" },
      c: { ...soon, dependsOnStages: ["a"] },
      d: { ...soon, dependsOnStages: ["b", "c"] },
    }),
  );

async function auditOf(store: Store): Promise<readonly AuditEntry[]> {
  const rows = await store.auditEntries({
    tenantId: ada.tenantId,
    where: [],
    orderBy: [{ field: "sequence", descending: false }],
    after: undefined,
    limit: 10_000,
  });
  return rows.map(({ entry }) => fromBinary(AuditEntrySchema, entry));
}

/** The record is whole, and every stage was found valid as often as this. */
async function expectWholeRecord(store: Store, validations: number): Promise<void> {
  const entries = await auditOf(store);
  const digest = (bytes: Uint8Array) => hash("sha256", bytes, "buffer");
  expect(verifyChain(entries, { tenantId: ada.tenantId, digest })).toMatchObject({ valid: true });
  const validated = entries.filter(({ eventType }) => eventType === AuditEventType.RESULT_VALIDATED);
  expect(validated.map(({ stageId }) => stageId).sort()).toHaveLength(validations);
  expect(await store.check()).toEqual([]);
}

describe.each(Object.entries(kinds))("a hub that loses power, on %s", (name, open) => {
  const points: readonly Point[] = [
    "decided",
    "before commit",
    "committed",
    "answered",
    "before command",
    "after command",
  ];
  // Every instant in memory; with files, some of each kind.
  const instants = (after: number) => name.includes("memory") || after % 8 === 3;

  it.each(points)(
    "[PIP-11] goes on wherever it was stopped at %s: nothing is lost, nothing is done twice",
    async (point) => {
      for (let after = 0; ; after++) {
        if (!instants(after)) continue;
        const store = await open();
        const lives = new Lives(store, { onProblem: () => {} });
        const first = await lives.beginAndDieAt(point, after);
        const packs = ["dev", "qa"];
        const agents = packs.map((packId) => new TestAgent(first.hub, { packId, maxTasks: 2 }));
        const acknowledged = await acknowledgedOrDead(first);
        const survived = acknowledged !== undefined && (await completedOrDead(first, acknowledged));

        first.kill();
        const { hub } = await lives.begin();
        const moved = agents.map((agent) => agent.moveTo(hub));
        const { pipeline, existing } = await hub.submitTask(ada, task({ plan: diamond() }));
        if (acknowledged !== undefined) expect(existing).toBe(true);
        const done = await reaches(hub, pipeline?.pipelineId ?? "", ...ended);
        expect(summary(done), `${point} ${after}`).toEqual({
          status: "COMPLETED",
          stages: ["a COMPLETED 1", "b COMPLETED 1", "c COMPLETED 1", "d COMPLETED 1"],
        });
        await eventually("an empty outbox", async () => (await store.outbox()).length === 0);
        expect(await store.timers()).toEqual([]);
        await expectWholeRecord(store, 4);
        const worked = new Set([...agents, ...moved].flatMap(({ envelopes }) => envelopes.map(dispatchOf)));
        expect([...worked].sort()).toHaveLength(4);
        for (const agent of moved) agent.vanish();
        if (survived) return;
      }
    },
  );

  it("[PIP-11] tries again what agents that were stopped with it have forgotten", async () => {
    const store = await open();
    const lives = new Lives(store, { onProblem: () => {} });
    const first = await lives.begin();
    const dev = new TestAgent(first.hub, { packId: "dev", answer: silent });
    const pipelineId = await submit(first.hub, { plan: diamond() });
    const lost = await dev.envelope();
    await eventually("the command to be crossed off", async () => (await store.outbox()).length === 0);
    first.kill();
    dev.vanish();

    const { hub } = await lives.begin();
    const packs = ["dev", "qa"];
    const agents = packs.map((packId) => new TestAgent(hub, { packId }));
    const done = await reaches(hub, pipelineId, ...ended);
    expect(summary(done)).toEqual({
      status: "COMPLETED",
      stages: ["a COMPLETED 2", "b COMPLETED 1", "c COMPLETED 1", "d COMPLETED 1"],
    });
    // What it answers to the attempt of before is on record and changes nothing.
    agents[0]?.answer(lost);
    await eventually("the late answer on record", async () =>
      (await auditOf(store)).some(({ action, dispatchId }) =>
        dispatchId === dispatchOf(lost) ? action === "disregarded a result" : false,
      ),
    );
    expect(summary(await read(hub, pipelineId))).toEqual(summary(done));
    await expectWholeRecord(store, 4);
  });

  it("[PIP-11] takes the answer that an agent has worked on all the while, once", async () => {
    const store = await open();
    const lives = new Lives(store, { onProblem: () => {} });
    const first = await lives.begin();
    const dev = new TestAgent(first.hub, { packId: "dev", answer: silent });
    const pipelineId = await submit(first.hub);
    const envelope = await dev.envelope();
    first.kill();
    const { hub } = await lives.begin();
    const back = dev.moveTo(hub);
    await back.receive("welcome");
    expect(summary(await read(hub, pipelineId)).stages).toEqual(["code DISPATCHED 1"]);
    back.answer(envelope);
    back.answer(envelope);
    const done = await reaches(hub, pipelineId, PipelineStatus.COMPLETED);
    expect(summary(done).stages).toEqual(["code COMPLETED 1"]);
    await expectWholeRecord(store, 1);
  });

  it("[PIP-12] does not load what has ended, and shows it all the same", async () => {
    const store = await open();
    const lives = new Lives(store);
    const first = await lives.begin();
    const dev = new TestAgent(first.hub, { packId: "dev" });
    const pipelineId = await submit(first.hub);
    const before = await reaches(first.hub, pipelineId, PipelineStatus.COMPLETED);
    first.kill();
    dev.vanish();
    const second = await lives.begin();
    const { pipelines } = await second.hub.listPipelines(ada, create(ListPipelinesRequestSchema));
    expect(pipelines.map(summary)).toEqual([summary(before)]);
    expect(await read(second.hub, pipelineId)).toEqual(before);
    const late = new TestAgent(second.hub, { packId: "dev", answer: silent });
    const [envelope] = dev.envelopes;
    if (envelope) late.answer(envelope);
    await late.receive("acknowledged");
    const { entries } = await second.hub.listAuditEntries(
      ada,
      create(ListAuditEntriesRequestSchema, { orderBy: "sequence desc", pageSize: 1 }),
    );
    expect(entries[0]).toMatchObject({ action: "disregarded a result", pipelineId });
    expect(await read(second.hub, pipelineId)).toMatchObject({ status: PipelineStatus.COMPLETED });
  });
});

describe("time that passes while a hub is down", () => {
  async function stopped(init: Parameters<typeof submit>[1]) {
    const clock = new VirtualClock();
    const store = openMemoryStore();
    const lives = new Lives(store, { clock, onProblem: () => {} });
    const first = await lives.begin();
    const dev = new TestAgent(first.hub, { packId: "dev", answer: silent });
    const pipelineId = await submit(first.hub, init);
    await dev.envelope();
    return { clock, store, lives, first, dev, pipelineId };
  }

  it("[DIS-13] counts for the timeout of an attempt", async () => {
    const plan = planOf(stages({ a: { timeout: { seconds: 60n } } }));
    const { clock, lives, first, dev, pipelineId } = await stopped({ plan });
    await clock.pass(20_000);
    dev.beat();
    await clock.pass(20_000);
    first.kill();
    await clock.pass(10_000);
    const { hub } = await lives.begin();
    const back = dev.moveTo(hub);
    await back.receive("welcome");
    await clock.pass(9_000);
    expect(summary(await read(hub, pipelineId)).stages).toEqual(["a DISPATCHED 1"]);
    expect(back.all("cancel")).toEqual([]);
    await clock.pass(2_000);
    expect(back.all("cancel").map(({ dispatchId }) => dispatchId)).toEqual([`${pipelineId}/a/1`]);
    expect(back.envelopes.map(dispatchOf)).toEqual([`${pipelineId}/a/1`, `${pipelineId}/a/2`]);
  });

  it("[DIS-13] rings at once for what was due in between, though the agent never comes back", async () => {
    const plan = planOf(stages({ a: { timeout: { seconds: 60n } } }));
    const { clock, lives, first, dev, pipelineId } = await stopped({ plan });
    first.kill();
    dev.vanish();
    await clock.pass(600_000);
    const { hub } = await lives.begin();
    await clock.pass(10);
    expect((await read(hub, pipelineId)).stages[0]).toMatchObject({ attemptNumber: 2 });
    const other = new TestAgent(hub, { packId: "dev", instanceId: "dev-2" });
    await other.receive("welcome");
    await clock.pass(5_000);
    expect(summary(await read(hub, pipelineId)).stages).toEqual(["a COMPLETED 2"]);
  });

  it("[DIS-12] counts for the backoff before the next attempt", async () => {
    const retry = { maxAttempts: 3, initialBackoff: { seconds: 30n }, jitter: 0.001 };
    const plan = planOf(stages({ a: { handoffPolicy: { retry } } }));
    const { clock, lives, first, dev, pipelineId } = await stopped({ plan });
    const [envelope] = dev.envelopes;
    if (envelope)
      dev.answer(envelope, { status: { outcome: Outcome.RETRYABLE_FAILURE, failureReason: "so" } });
    await eventually("the backoff", async () =>
      (await read(first.hub, pipelineId)).stages[0]?.waitingFor.includes("next attempt"),
    );
    first.kill();
    await clock.pass(20_000);
    const { hub } = await lives.begin();
    const back = dev.moveTo(hub);
    await back.receive("welcome");
    await clock.pass(9_000);
    expect(back.envelopes).toEqual([]);
    await clock.pass(2_000);
    expect(back.envelopes.map(dispatchOf)).toEqual([`${pipelineId}/a/2`]);
  });

  it("[PIP-09] counts for the deadline of the pipeline: it pauses and asks", async () => {
    const plan = planOf(stages({ a: {} }), { pipelineDeadline: { seconds: 100n } });
    const { clock, lives, first, dev, pipelineId } = await stopped({ plan });
    await clock.pass(20_000);
    first.kill();
    dev.vanish();
    await clock.pass(70_000);
    const { hub } = await lives.begin();
    await clock.pass(9_000);
    expect(await read(hub, pipelineId)).toMatchObject({ status: PipelineStatus.RUNNING });
    await clock.pass(2_000);
    expect(await read(hub, pipelineId)).toMatchObject({
      status: PipelineStatus.PAUSED,
      statusReason: "the deadline has passed",
    });
  });
});

describe("a command that was carried out and not crossed off", () => {
  it("[PIP-07] looks at the evidence again, and the result counts once", async () => {
    const store = openMemoryStore();
    const lives = new Lives(store, { onProblem: () => {} });
    let seen = () => {};
    const looked = new Promise<void>((resolve) => {
      seen = resolve;
    });
    const slow = {
      verify: () => {
        seen();
        return new Promise<never>(() => {});
      },
    };
    const first = await lives.begin({ verifier: slow });
    const dev = new TestAgent(first.hub, { packId: "dev" });
    const pipelineId = await submit(first.hub, { workspace: { repository: "somewhere", path: "somewhere" } });
    await settles(looked, "the hub to look");
    first.kill();
    let looks = 0;
    const verifier = {
      verify: async () => {
        looks++;
        return { commands: [], changes: undefined };
      },
    };
    const { hub } = await lives.begin({ verifier });
    dev.moveTo(hub);
    await reaches(hub, pipelineId, PipelineStatus.COMPLETED);
    await eventually("an empty outbox", async () => (await store.outbox()).length === 0);
    expect(looks).toBe(1);
    await expectWholeRecord(store, 1);
    const again = await new Lives(store).begin({ verifier });
    await calm();
    expect(looks).toBe(1);
    again.kill();
  });
});

async function acknowledgedOrDead({ hub, dead }: Life): Promise<string | undefined> {
  const acknowledged = hub.submitTask(ada, task({ plan: diamond() })).then(
    ({ pipeline }) => pipeline?.pipelineId,
    () => undefined,
  );
  return settles(Promise.race([acknowledged, dead.then(() => undefined)]), "an answer or the end");
}

async function completedOrDead({ hub, dead }: Life, pipelineId: string): Promise<boolean> {
  const done = reaches(hub, pipelineId, PipelineStatus.COMPLETED);
  done.catch(() => {});
  return settles(Promise.race([done.then(() => true), dead.then(() => false)]), "completion or the end");
}

function summary({ status, stages }: Pipeline) {
  return {
    status: PipelineStatus[status],
    stages: stages.map(
      ({ stageId, status, attemptNumber }) => `${stageId} ${StageStatus[status]} ${attemptNumber}`,
    ),
  };
}
