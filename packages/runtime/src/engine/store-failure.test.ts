import {
  AbortPipelineRequestSchema,
  ExplainDispatchRequestSchema,
  GetPipelineRequestSchema,
  ListAgentsRequestSchema,
  ListAuditEntriesRequestSchema,
  ListEscalationsRequestSchema,
  ListPipelinesRequestSchema,
  PausePipelineRequestSchema,
  PipelineStatus,
  RegisterAgentRequestSchema,
  ResolveEscalationRequestSchema,
  ResponseStatus,
  RestoreAgentRequestSchema,
  WatchEventsRequestSchema,
} from "@baton/contract";
import { stages } from "@baton/kernel/testing";
import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import {
  ada,
  calm,
  dispatchOf,
  eventually,
  noRoom,
  planOf,
  reaches,
  read,
  refusalOf,
  settles,
  silent,
  submit,
  TestAgent,
  TestStore,
  task,
  testHub,
} from "../../testing/index.ts";
import type { Batch } from "../ports/store.ts";
import { StoreUnavailable } from "../ports/store-error.ts";
import { openMemoryStore } from "../stores/index.ts";
import { defaultKernel } from "./kernel.ts";
import { pipelineIdFor } from "./pipeline-id.ts";

const limits = { retryStore: { firstMs: 1, maxMs: 10 } };

async function hubOnTestStore(kernel = defaultKernel) {
  const store = new TestStore(openMemoryStore());
  const problems: Error[] = [];
  const hub = await testHub({ store, limits, kernel, onProblem: (problem) => problems.push(problem) });
  const back = () => eventually("the hub to be ready", () => hub.whyNotReady() === undefined);
  return { store, hub, problems, back };
}

describe("while the store does not work", () => {
  it("[PIP-11] reports that it is unavailable, and stores nothing of the request", async () => {
    const { store, hub, back, problems } = await hubOnTestStore();
    const pipelineId = await submit(hub, { idempotencyKey: "before" });
    store.break();
    const refused = await Promise.all([
      refusalOf(hub.submitTask(ada, task())),
      refusalOf(hub.submitTask(ada, task({ idempotencyKey: "key-2" }))),
      refusalOf(hub.pausePipeline(ada, create(PausePipelineRequestSchema, { pipelineId, reason: "so" }))),
    ]);
    for (const error of refused)
      expect(error).toMatchObject({ kind: "unavailable", retryAfterMs: expect.any(Number) });
    expect(refused[0]).toMatchObject({ code: "BATON-STORE-004", fix: "make room" });
    expect(hub.whyNotReady()).toBe("there is no room left where the hub stores");
    expect(await refusalOf(hub.submitTask(ada, task()))).toMatchObject({ kind: "unavailable" });
    expect(problems.length).toBeGreaterThan(0);
    store.repair();
    await back();
    const { pipelines } = await hub.listPipelines(ada, create(ListPipelinesRequestSchema));
    expect(pipelines.map((one) => [one.pipelineId, one.status])).toEqual([
      [pipelineId, PipelineStatus.RUNNING],
    ]);
    expect(await hub.submitTask(ada, task())).toMatchObject({ existing: false });
  });

  it("says of every call that needs the store that it is unavailable, in the hub's own words", async () => {
    const { store, hub } = await hubOnTestStore();
    const dev = new TestAgent(hub, { packId: "dev", answer: silent });
    await submit(hub);
    const dispatchId = dispatchOf(await dev.envelope());
    store.break();
    const watch = async () => {
      const request = create(WatchEventsRequestSchema, { afterSequence: 0n });
      for await (const _ of hub.watchEvents(ada, request, new AbortController().signal)) return;
    };
    const reason = "so";
    const manifest = { packId: "late", packVersion: "1.0.0", capabilitySchemaVersion: "1.0.0" };
    const calls = {
      listPipelines: hub.listPipelines(ada, create(ListPipelinesRequestSchema)),
      listEscalations: hub.listEscalations(ada, create(ListEscalationsRequestSchema)),
      listAuditEntries: hub.listAuditEntries(ada, create(ListAuditEntriesRequestSchema)),
      explainDispatch: hub.explainDispatch(ada, create(ExplainDispatchRequestSchema, { dispatchId })),
      resolveEscalation: hub.resolveEscalation(
        ada,
        create(ResolveEscalationRequestSchema, { escalationId: "p-absent/1", resolution: "so" }),
      ),
      watchEvents: watch(),
      registerAgent: hub.registerAgent(ada, create(RegisterAgentRequestSchema, { manifest })),
      restoreAgent: hub.restoreAgent(
        ada,
        create(RestoreAgentRequestSchema, { packId: "dev", instanceId: "dev-1", reason }),
      ),
    };
    const kinds = await Promise.all(
      Object.entries(calls).map(async ([name, call]) => [name, (await refusalOf(call)).kind]),
    );
    expect(Object.fromEntries(kinds)).toEqual(
      Object.fromEntries(Object.keys(calls).map((name) => [name, "unavailable"])),
    );
  });

  it("[PIP-11] keeps what agents answer until it works again; they need not connect again", async () => {
    const { store, hub, back } = await hubOnTestStore();
    const dev = new TestAgent(hub, { packId: "dev", maxTasks: 2, answer: silent });
    const ids = [await submit(hub), await submit(hub, { idempotencyKey: "key-2" })];
    const [first, second] = [await dev.envelope(1), await dev.envelope(2)];
    store.break();
    const sequence = dev.answer(first);
    await eventually("the hub to notice", () => hub.whyNotReady() !== undefined);
    dev.answer(second);
    await calm();
    expect(dev.all("acknowledged").filter((one) => one.sequence >= sequence)).toEqual([]);
    store.repair();
    await back();
    for (const id of ids) {
      const { stages } = await reaches(hub, id, PipelineStatus.COMPLETED);
      expect(stages.map(({ attemptNumber }) => attemptNumber)).toEqual([1]);
    }
    await eventually("acknowledgements", () =>
      dev.all("acknowledged").some((one) => one.sequence === dev.lastSequence),
    );
    expect(dev.envelopes).toHaveLength(2);
    await submit(hub, { idempotencyKey: "key-3" });
    await dev.envelope(3);
  });

  it("[DIS-03] lets an agent in whose hello came at the wrong moment", async () => {
    const { store, hub, back } = await hubOnTestStore();
    for (const packId of ["dev", "qa"]) {
      // With the first its own registration fails; with the second, what somebody else asks for at the same time.
      if (packId === "dev") store.break();
      const agent = new TestAgent(hub, { packId });
      if (packId === "qa") {
        await eventually("its registration", () => store.batches.some(({ fleet }) => fleet.length === 1));
        store.break();
        await refusalOf(hub.submitTask(ada, task({ idempotencyKey: "lost" })));
      }
      await calm();
      store.repair();
      await back();
      await settles(Promise.race([agent.receive("welcome"), agent.ended]), `the welcome of ${packId}`);
      await eventually("the agent among the live ones", async () => {
        const { agents } = await hub.listAgents(ada, create(ListAgentsRequestSchema));
        return agents.some(({ heartbeat, attached }) => heartbeat?.packId === packId && attached);
      });
    }
    const plan = planOf(stages({ a: {}, b: { taskType: "review" } }));
    await reaches(hub, await submit(hub, { plan }), PipelineStatus.COMPLETED);
  });

  it("goes on when it fails again and again while everybody comes back", async () => {
    const { store, hub, back } = await hubOnTestStore();
    const agents = ["dev", "qa"].map((packId) => new TestAgent(hub, { packId }));
    for (const agent of agents) await agent.receive("welcome");
    let failures = 0;
    store.beforeCommit = () => {
      if (failures++ < 8) throw noRoom();
    };
    await eventually("a submission that is taken", () => {
      for (const agent of agents) agent.beat();
      return submit(hub, { idempotencyKey: "stubborn" }).catch(() => undefined);
    });
    expect(failures).toBeGreaterThan(8);
    await back();
    const plan = planOf(stages({ a: {}, b: { taskType: "review" } }));
    await reaches(hub, await submit(hub, { plan }), PipelineStatus.COMPLETED);
    for (const agent of agents) expect(agent.all("refused")).toEqual([]);
  });

  it("[DIS-12] sends nothing that was not stored, and everything that was", async () => {
    const { store, hub, back } = await hubOnTestStore();
    const dev = new TestAgent(hub, { packId: "dev", maxTasks: 9, answer: silent });
    await dev.receive("welcome");
    store.break();
    await refusalOf(hub.submitTask(ada, task({ idempotencyKey: "lost" })));
    store.repair();
    await back();
    const pipelineId = await submit(hub, { idempotencyKey: "kept" });
    await dev.envelope();
    expect(dev.envelopes.map((one) => dispatchOf(one))).toEqual([`${pipelineId}/code/1`]);
  });

  it("[TUR-04] begins a watch with what is stored: what was taken back is not counted", async () => {
    const { store, hub, back } = await hubOnTestStore();
    store.shut();
    const lost = refusalOf(hub.submitTask(ada, task({ idempotencyKey: "lost" })));
    await eventually("a transaction", () => store.committing > 0);
    const stop = new AbortController();
    const seen: string[] = [];
    const watching = (async () => {
      for await (const { message } of hub.watchEvents(ada, create(WatchEventsRequestSchema), stop.signal)) {
        if (message.case === "record") seen.push(message.value.pipelineId);
      }
    })();
    await calm();
    store.break();
    store.open();
    await lost;
    store.repair();
    await back();
    const pipelineId = await submit(hub);
    await eventually("its events", () => seen.includes(pipelineId));
    expect(new Set(seen)).toEqual(new Set([pipelineId]));
    stop.abort();
    await watching;
  });

  it("[TRN-05] can be closed, and stays closed when the store comes back", async () => {
    const { store, hub } = await hubOnTestStore();
    const dev = new TestAgent(hub, { packId: "dev", answer: silent });
    const pipelineId = await submit(hub);
    const envelope = await dev.envelope();
    store.break();
    await refusalOf(hub.submitTask(ada, task({ idempotencyKey: "key-2" })));
    // It waits for the store, and would be the first thing that a hub does that comes back to life.
    dev.answer(envelope);
    await calm();
    await settles(hub.drain(0), "the hub to close");
    store.repair();
    const before = store.batches.length;
    // Longer than the longest wait before the store is tried again.
    await new Promise((resolve) => setTimeout(resolve, 5 * limits.retryStore.maxMs));
    expect(store.batches.length).toBe(before);
    expect(await read(hub, pipelineId)).toMatchObject({ status: PipelineStatus.RUNNING });
    expect(await refusalOf(hub.submitTask(ada, task()))).toMatchObject({ kind: "unavailable" });
  });

  it("[OBS-02] keeps record and audit together: a transaction that fails leaves neither", async () => {
    const { store, hub, back } = await hubOnTestStore();
    const dev = new TestAgent(hub, { packId: "dev" });
    await dev.receive("welcome");
    let left = 5;
    store.beforeCommit = (batch: Batch) => {
      if (batch.transitions.length > 0 && left-- > 0 && left % 2 === 0) throw noRoom();
    };
    const ids: string[] = [];
    for (let n = 0; n < 4; n++) {
      const idempotencyKey = `key-${n}`;
      await eventually("a submission that is taken", async () => {
        const id = await submit(hub, { idempotencyKey }).catch(() => undefined);
        if (id) ids.push(id);
        return id;
      });
    }
    for (const id of ids) await reaches(hub, id, PipelineStatus.COMPLETED);
    await back();
    const { entries } = await hub.listAuditEntries(
      ada,
      create(ListAuditEntriesRequestSchema, {
        filter: "event_type = AUDIT_EVENT_TYPE_PIPELINE_CREATED",
        pageSize: 1_000,
      }),
    );
    expect(entries.map(({ pipelineId }) => pipelineId).sort()).toEqual([...ids].sort());
  });
});

describe("a pipeline whose journal is damaged", () => {
  /** A hub that has read nothing of what is stored: its pipelines have ended. */
  async function hubAfterDamage() {
    const inner = openMemoryStore();
    const first = await testHub({ store: inner });
    new TestAgent(first, { packId: "dev" });
    const pipelineId = await submit(first, { idempotencyKey: "old" });
    await reaches(first, pipelineId, PipelineStatus.COMPLETED);
    await first.drain(0);
    const journal = inner.journal.bind(inner);
    inner.journal = async (id) => {
      const found = await journal(id);
      return found && { ...found, texts: found.texts.map((text) => text.slice(1)) };
    };
    const problems: Error[] = [];
    const hub = await testHub({ store: inner, onProblem: (problem) => problems.push(problem) });
    return { hub, pipelineId, problems };
  }

  it("is refused to its callers, and delays no others", async () => {
    const { hub, pipelineId, problems } = await hubAfterDamage();
    const again = refusalOf(hub.submitTask(ada, task({ idempotencyKey: "old" })));
    const other = submit(hub, { idempotencyKey: "new" });
    expect(await settles(again, "the refusal")).toMatchObject({
      kind: "internal",
      code: "BATON-PIPELINE-006",
      message: "what is stored of this pipeline is damaged",
    });
    expect(await read(hub, await settles(other, "the other task"))).toMatchObject({
      status: PipelineStatus.RUNNING,
    });
    expect(hub.whyNotReady()).toBeUndefined();
    expect(problems.map(({ message }) => message)).toEqual([expect.stringContaining(pipelineId)]);
  });

  it("names neither it nor the place of the store to callers", async () => {
    const { hub, pipelineId } = await hubAfterDamage();
    const refused = await refusalOf(hub.getPipeline(ada, create(GetPipelineRequestSchema, { pipelineId })));
    expect(refused).toMatchObject({
      code: "BATON-STORE-003",
      message: "something that is stored is damaged",
    });
  });

  it("keeps a hub from starting that would have to go on with it, and says why", async () => {
    const inner = openMemoryStore();
    const first = await testHub({ store: inner });
    const pipelineId = await submit(first);
    await first.drain(0);
    const openJournals = inner.openJournals.bind(inner);
    inner.openJournals = async function* () {
      for await (const journals of openJournals())
        yield journals.map((one) => ({ ...one, texts: one.texts.map((text) => text.slice(1)) }));
    };
    await expect(testHub({ store: inner })).rejects.toMatchObject({
      name: "StoreUnavailable",
      code: "BATON-STORE-003",
      message: expect.stringContaining(pipelineId),
    });
  });
});

describe("two transactions on their way", () => {
  /** The first holds one input; the second what agents have answered, and enough of what people ask for. */
  async function bothOnTheirWay(first: string) {
    const given = await hubOnTestStore();
    const { store, hub } = given;
    const dev = new TestAgent(hub, { packId: "dev", maxTasks: 99, answer: silent });
    const working = await submit(hub, { idempotencyKey: "working" });
    const envelope = await dev.envelope();
    store.shut();
    const before = store.batches.length;
    const ahead = hub.submitTask(ada, task({ idempotencyKey: first }));
    await eventually("a transaction", () => store.committing === 1);
    dev.answer(envelope);
    await calm();
    const behind = Array.from({ length: 12 }, (_, n) =>
      hub.submitTask(ada, task({ idempotencyKey: `behind-${n}` })),
    );
    await eventually("a second", () => store.committing === 2);
    return { ...given, dev, working, ahead, behind, before };
  }

  it("[PIP-11] are not stored when the first is not, and what nobody would say again is kept", async () => {
    const { store, hub, back, working, ahead, behind, before } = await bothOnTheirWay("first");
    const refused = Promise.all([ahead, ...behind].map(refusalOf));
    store.break();
    store.open();
    for (const error of await refused) expect(error).toMatchObject({ code: "BATON-STORE-004" });
    expect(store.batches.length).toBe(before);
    store.repair();
    await back();
    const { stages } = await reaches(hub, working, PipelineStatus.COMPLETED);
    expect(stages.map(({ attemptNumber }) => attemptNumber)).toEqual([1]);
    const { pipelines } = await hub.listPipelines(ada, create(ListPipelinesRequestSchema));
    expect(pipelines.map(({ pipelineId }) => pipelineId)).toEqual([working]);
    for (let n = 0; n < 12; n++) {
      const again = hub.submitTask(ada, task({ idempotencyKey: `behind-${n}` }));
      expect(await again).toMatchObject({ existing: false });
    }
  });

  it("[PIP-11] are isolated when the first has a fault: the second is stored once", async () => {
    const { store, hub, working, ahead, behind, before } = await bothOnTheirWay("trap");
    const victim = pipelineIdFor(ada.tenantId, "trap");
    store.beforeCommit = ({ transitions }) => {
      if (transitions.some(({ pipelineId }) => pipelineId === victim)) throw misuse();
    };
    const refused = refusalOf(ahead);
    store.open();
    expect(await refused).toMatchObject({ kind: "internal", code: "BATON-PIPELINE-006" });
    const made = await Promise.all(behind);
    expect(made.map(({ existing }) => existing)).toEqual(behind.map(() => false));
    await reaches(hub, working, PipelineStatus.COMPLETED);
    const moved = store.batches.slice(before).flatMap(({ transitions }) => transitions);
    const ids = moved.filter(({ expectedVersion }) => expectedVersion === 0).map((one) => one.pipelineId);
    expect(ids).toEqual(made.map(({ pipeline }) => pipeline?.pipelineId));
    expect(hub.whyNotReady()).toBeUndefined();
  });

  it("are isolated when the second has a fault: the first is answered, and the rest stored", async () => {
    const { store, hub, working, ahead, behind } = await bothOnTheirWay("first");
    const victim = pipelineIdFor(ada.tenantId, "behind-7");
    store.beforeCommit = ({ transitions }) => {
      if (transitions.some(({ pipelineId }) => pipelineId === victim)) throw misuse();
    };
    const outcomes = Promise.allSettled(behind);
    store.open();
    expect(await ahead).toMatchObject({ existing: false });
    expect((await outcomes).map(({ status }) => status)).toEqual(
      behind.map((_, n) => (n === 7 ? "rejected" : "fulfilled")),
    );
    await reaches(hub, working, PipelineStatus.COMPLETED);
    expect(hub.whyNotReady()).toBeUndefined();
  });
});

describe("a mistake about one pipeline", () => {
  it("does not harm those that share its transaction", async () => {
    // What it decides about one pipeline cannot be written.
    const decide: typeof defaultKernel.decide = (before, input, world) => {
      const decision = defaultKernel.decide(before, input, world);
      if (!decision.accepted || decision.state.task.contract?.title !== "a trap") return decision;
      const [first, ...others] = decision.records;
      return { ...decision, records: [{ ...first, odd: () => 1 } as never, ...others] };
    };
    const { store, hub, problems } = await hubOnTestStore({ ...defaultKernel, decide });
    store.shut();
    const first = submit(hub, { idempotencyKey: "first" });
    await eventually("a transaction", () => store.committing > 0);
    const before = submit(hub, { idempotencyKey: "before" });
    const trap = task({ idempotencyKey: "trap" });
    if (trap.contract) trap.contract.title = "a trap";
    const refused = refusalOf(hub.submitTask(ada, trap));
    const after = submit(hub, { idempotencyKey: "after" });
    await calm();
    store.open();
    expect(await refused).toMatchObject({ kind: "internal", code: "BATON-PIPELINE-006" });
    for (const id of await Promise.all([first, before, after]))
      expect(await read(hub, id)).toMatchObject({ status: PipelineStatus.RUNNING });
    expect(hub.whyNotReady()).toBeUndefined();
    expect(problems.map(({ message }) => message)).toContain("a function cannot be stored");
  });

  it.each([
    ["a name that our own messages have", { $typeName: "vasini.agent.v1.Ref", uriOrLocator: 7 }],
    ["a name of a message that does not exist", { $typeName: "nobody.knows.This" }],
    ["names that mean something where it is stored", { $message: ["x", "y"], $text: 1, $plain: { a: 1 } }],
  ])("does not stop the hub when an agent answers with %s", async (_, data) => {
    const { hub } = await hubOnTestStore();
    const plan = planOf(stages({ a: {}, b: { inputMapping: { whole: "{{a.data}}" } } }));
    const dev = new TestAgent(hub, {
      packId: "dev",
      maxTasks: 2,
      answer: () => ({ response: { status: ResponseStatus.SUCCESS, message: "so", data } }),
    });
    const odd = await submit(hub, { plan });
    const plain = await submit(hub, { idempotencyKey: "plain" });
    await reaches(hub, plain, PipelineStatus.COMPLETED);
    const { status } = await reaches(hub, odd, ...[PipelineStatus.COMPLETED, PipelineStatus.PAUSED]);
    expect(hub.whyNotReady()).toBeUndefined();
    if (status === PipelineStatus.COMPLETED)
      expect(dev.envelopes.map(({ inputs }) => inputs)).toContainEqual({ whole: data });
  });

  it("is reported to its caller, also when only the store detects it, and the rest is stored", async () => {
    const { store, hub } = await hubOnTestStore();
    const dev = new TestAgent(hub, { packId: "dev", maxTasks: 9, answer: silent });
    const victim = await submit(hub, { idempotencyKey: "victim" });
    const envelope = await dev.envelope();
    store.beforeCommit = ({ transitions }) => {
      if (transitions.some(({ pipelineId, row }) => pipelineId === victim && row.ended)) throw misuse();
    };
    store.shut();
    const first = submit(hub, { idempotencyKey: "first" });
    await eventually("a transaction", () => store.committing > 0);
    // An answer that nobody would give again, and things that people ask for, in one transaction.
    const sequence = dev.answer(envelope);
    await calm();
    const refused = refusalOf(
      hub.abortPipeline(ada, create(AbortPipelineRequestSchema, { pipelineId: victim, reason: "so" })),
    );
    const others = [submit(hub, { idempotencyKey: "before" }), submit(hub, { idempotencyKey: "after" })];
    await calm();
    store.open();
    expect(await refused).toMatchObject({ kind: "internal", code: "BATON-PIPELINE-006" });
    for (const id of await Promise.all([first, ...others]))
      expect(await read(hub, id)).toMatchObject({ status: PipelineStatus.RUNNING });
    expect(await read(hub, victim)).toMatchObject({ status: PipelineStatus.RUNNING });
    await eventually("the acknowledgement", () =>
      dev.all("acknowledged").some((one) => one.sequence >= sequence),
    );
    expect(hub.whyNotReady()).toBeUndefined();
    store.beforeCommit = undefined;
    await dev.envelope(4);
    for (const one of dev.envelopes.slice(1)) dev.answer(one);
    for (const id of await Promise.all([first, ...others])) await reaches(hub, id, PipelineStatus.COMPLETED);
  });

  it("is not made about a task whose title is very long", async () => {
    const { hub, problems } = await hubOnTestStore();
    new TestAgent(hub, { packId: "dev" });
    const title = "so ".repeat(10_000);
    const id = await submit(hub, { contract: { taskId: "t", title, acceptanceCriteria: ["done"] } });
    expect(await reaches(hub, id, PipelineStatus.COMPLETED)).toMatchObject({ pipelineName: title });
    expect(problems).toEqual([]);
  });
});

function misuse(): StoreUnavailable {
  return new StoreUnavailable("BATON-STORE-008", "no hub may ask for this", {
    fix: "report it",
    mayPass: false,
  });
}
