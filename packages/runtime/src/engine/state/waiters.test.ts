import { PipelineStatus } from "@baton/contract";
import type { PipelineState } from "@baton/kernel";
import { Run, stages, testFleet } from "@baton/kernel/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reaches, silent, submit, TestAgent, TestStore, testHub } from "../../../testing/index.ts";
import type { StoredJournal } from "../../ports/store.ts";
import { openMemoryStore } from "../../stores/index.ts";
import { Waiters } from "./waiters.ts";

const types = ["code", "review", "verify"] as const;
type TaskType = (typeof types)[number];

/** A pipeline whose stages wait: for busy agents, or for agents that are not there, about which a person is asked. */
function waiting(wanted: readonly TaskType[], busy: boolean): PipelineState {
  const plan = stages(
    Object.fromEntries(wanted.map((taskType, n) => [`s${n}`, { taskType, dependsOnStages: [] }])),
  );
  const full = { activeTasks: 1, maxTasks: 1 };
  const fleet = testFleet(
    busy
      ? [
          { packId: "dev", ...full },
          { packId: "qa", ...full },
        ]
      : [],
  );
  const { state } = new Run({ stages: plan }, { fleet });
  if (!state) throw new Error("a run has a pipeline");
  return state;
}

const states = new Map<string, PipelineState>();
function stateOf(wanted: readonly TaskType[], busy: boolean): PipelineState {
  const key = `${wanted.join()} ${busy}`;
  const known = states.get(key) ?? (wanted.length === 0 ? idle() : waiting(wanted, busy));
  states.set(key, known);
  return known;
}

function idle(): PipelineState {
  const { state } = new Run();
  if (!state) throw new Error("a run has a pipeline");
  return state;
}

describe("those who wait for an agent", () => {
  it("are served in the order in which they came, by tenant and type of task, those in the queue first", () => {
    const change = fc.record({
      id: fc.nat(9),
      wanted: fc.subarray([...types]),
      busy: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 60 }), (changes) => {
        const waiters = new Waiters();
        const reference = new Map<string, { tenantId: string; queue: string[]; asked: string[] }>();
        const queued = new Map<string, { tenantId: string; count: number }>();
        for (const { id, wanted, busy } of changes) {
          const tenantId = `tenant-${id % 2}`;
          const pipelineId = `p-${id}`;
          waiters.update({ ...stateOf(wanted, busy), id: pipelineId, tenantId });
          for (const type of types) {
            const key = `${tenantId} ${type}`;
            const known = reference.get(key);
            const queue = known?.queue ?? [];
            const asked = known?.asked ?? [];
            for (const [line, isIn] of [[queue, busy] as const, [asked, !busy] as const]) {
              const place = line.indexOf(pipelineId);
              const waits = wanted.includes(type) && isIn;
              if (waits && place < 0) line.push(pipelineId);
              if (!waits && place >= 0) line.splice(place, 1);
            }
            reference.set(key, { tenantId, queue, asked });
          }
          queued.set(pipelineId, { tenantId, count: busy ? wanted.length : 0 });
          for (const tenant of ["tenant-0", "tenant-1"]) {
            const firsts = [...reference.values()].flatMap((one) =>
              one.tenantId === tenant ? [...one.queue, ...one.asked].slice(0, 1) : [],
            );
            expect(new Set(waiters.first(tenant))).toEqual(new Set(firsts));
            const own = [...queued.values()].filter((one) => one.tenantId === tenant);
            expect(waiters.queueDepth(tenant)).toBe(own.reduce((sum, { count }) => sum + count, 0));
          }
          expect(waiters.isWaiting(pipelineId)).toBe(wanted.length > 0);
        }
      }),
      { numRuns: 200 },
    );
  });

  it("all have their turn to look again, however many they are", () => {
    const waiters = new Waiters();
    const ids = Array.from({ length: 25 }, (_, n) => `p-${n}`);
    for (const id of ids) waiters.update({ ...stateOf(["code"], true), id });
    const seen = [1, 2, 3].flatMap(() => waiters.some(10));
    expect(seen.slice(0, 25)).toEqual(ids);
    expect(waiters.some(100)).toHaveLength(25);
    expect(waiters.first("acme")).toEqual(["p-0"]);
  });

  it("do not wait while their pipeline is paused", () => {
    const waiters = new Waiters();
    const state = { ...stateOf(["code"], true), id: "p" };
    waiters.update(state);
    waiters.update({ ...state, life: { status: "PAUSED", reason: "so", sinceMs: 1 } });
    expect(waiters.first("acme")).toEqual([]);
    expect(waiters.queueDepth("acme")).toBe(0);
  });

  it("[DIS-05] get the one agent one after another, in the order of their submission", async () => {
    const hub = await testHub();
    const dev = new TestAgent(hub, { packId: "dev", answer: silent });
    await dev.receive("welcome");
    const ids: string[] = [];
    for (let n = 0; n < 12; n++) ids.push(await submit(hub, { idempotencyKey: `key-${n}` }));
    for (const [n, id] of ids.entries()) {
      const envelope = await dev.envelope(n + 1);
      expect(envelope.execution?.dispatchId).toBe(`${id}/code/1`);
      dev.answer(envelope);
    }
    for (const id of ids) await reaches(hub, id, PipelineStatus.COMPLETED);
  });

  it("[DIS-05] are served one after another after a restart, whatever the order of recovery", async () => {
    const kept = openMemoryStore();
    const before = new TestStore(kept);
    const limits = { tickMs: 60_000 };
    const first = await testHub({ store: before, limits });
    const busy = new TestAgent(first, { packId: "dev", answer: silent });
    await busy.receive("welcome");
    const ids: string[] = [];
    // More than the queue has room for.
    for (let n = 0; n < 60; n++) ids.push(await submit(first, { idempotencyKey: `key-${n}` }));
    before.kill();
    const store = new TestStore(kept);
    const journals = store.openJournals.bind(store);
    store.openJournals = async function* () {
      const all: StoredJournal[] = [];
      for await (const some of journals()) all.push(...some);
      yield all.reverse();
    };
    const hub = await testHub({ store, limits });
    new TestAgent(hub, { packId: "dev" });
    for (const id of ids) await reaches(hub, id, PipelineStatus.COMPLETED);
  });

  it("[DIS-05] are all served at once when an agent comes that can do them all", async () => {
    const hub = await testHub({ limits: { tickMs: 60_000 } });
    const ids = await Promise.all(
      Array.from({ length: 8 }, (_, n) => submit(hub, { idempotencyKey: `key-${n}` })),
    );
    const dev = new TestAgent(hub, { packId: "dev", maxTasks: 8, answer: silent });
    await dev.envelope(8);
    expect(new Set(dev.envelopes.map(({ execution }) => execution?.dispatchId))).toEqual(
      new Set(ids.map((id) => `${id}/code/1`)),
    );
  });
});
