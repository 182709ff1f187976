import {
  type AttachAgentRequest,
  AttachAgentRequestSchema,
  type AttachAgentResponse,
  CancelOutcome,
  GetAttemptsRequestSchema,
  GetTransitionsRequestSchema,
  HealthStatus,
  ListAgentsRequestSchema,
  ListAuditEntriesRequestSchema,
  Outcome,
  PipelineStatus,
  StageStatus,
} from "@baton/contract";
import { resultFor, stages } from "@baton/kernel/testing";
import { create } from "@bufbuild/protobuf";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { describe, expect, it } from "vitest";
import {
  ada,
  calm,
  dispatchOf,
  eventually,
  helloOf,
  Lives,
  planOf,
  reaches,
  read,
  refusalOf,
  settles,
  silent,
  submit,
  TestAgent,
  TestStore,
  testHub,
  VirtualClock,
} from "../../../testing/index.ts";
import type { Hub } from "../../api/hub.ts";
import { rewind } from "../../api/testing/rewinds.ts";
import type { HubParts } from "../../compose/create-hub.ts";
import { openMemoryStore } from "../../stores/index.ts";

const fast = { handoffPolicy: { retry: { maxAttempts: 3, initialBackoff: { nanos: 1_000_000 } } } };
const onePlan = planOf(stages({ a: fast }));

/** A hub whose time stands still, and the store under it. */
async function stillHub(parts: Partial<HubParts> = {}) {
  const clock = new VirtualClock();
  const store = new TestStore(openMemoryStore());
  const hub = await testHub({ clock, store, ...parts });
  return { clock, store, hub };
}

async function attachedIds(hub: Hub): Promise<readonly string[]> {
  const { agents } = await hub.listAgents(ada, create(ListAgentsRequestSchema));
  return agents.flatMap(({ attached, heartbeat }) => (attached ? [heartbeat?.instanceId ?? ""] : []));
}

/** A stream whose messages a test counts, and that says nothing by itself. */
class Raw {
  taken = 0;
  readonly #messages: AttachAgentRequest[] = [];
  #wake = () => {};

  push(...messages: AttachAgentRequest[]): void {
    this.#messages.push(...messages);
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<AttachAgentRequest> {
    for (;;) {
      for (let next = this.#messages.shift(); next; next = this.#messages.shift()) {
        this.taken++;
        yield next;
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}

const agentKey = { tenantId: "acme", id: "agent-key", kind: "agent" } as const;

function open(hub: Hub, requests: AsyncIterable<AttachAgentRequest>, signal = new AbortController().signal) {
  return hub.attachAgent(agentKey, requests, signal)[Symbol.asyncIterator]();
}

describe("hello", () => {
  it("comes first: anything else is refused, and so is silence", async () => {
    const { hub } = await stillHub();
    const beat = create(AttachAgentRequestSchema, {
      sequence: 1n,
      message: { case: "heartbeat", value: { packId: "dev", instanceId: "dev-1" } },
    });
    for (const messages of [[beat], []]) {
      const requests = (async function* () {
        yield* messages;
      })();
      const refused = await refusalOf(Promise.resolve(open(hub, requests).next()));
      expect(refused).toMatchObject({
        kind: "invalid",
        code: "BATON-AGENT-001",
        fix: expect.stringContaining("hello"),
      });
    }
  });

  it("comes only first: a second one is refused, and the stream goes on", async () => {
    const { hub } = await stillHub();
    const dev = new TestAgent(hub, { packId: "dev" });
    await dev.receive("welcome");
    const { message } = helloOf({ packId: "dev" });
    if (message.case !== "hello") throw new Error("a hello is one");
    const sequence = dev.say(message);
    const { error, sequence: refused } = await dev.receive("refused");
    expect({ refused, code: error?.code }).toEqual({ refused: sequence, code: "BATON-AGENT-001" });
    await reaches(hub, await submit(hub), PipelineStatus.COMPLETED);
  });

  it("[DIS-02] is refused with a manifest that this hub cannot serve, by its place", async () => {
    const { hub } = await stillHub();
    const wrong: readonly [string, (manifest: NonNullable<ReturnType<typeof manifestOf>>) => void][] = [
      [
        "manifest.min_orchestrator_version",
        (manifest) => Object.assign(manifest, { minOrchestratorVersion: "99.0.0" }),
      ],
      [
        "manifest.capability_schema_version",
        (manifest) => Object.assign(manifest, { capabilitySchemaVersion: "2.0.0" }),
      ],
    ];
    for (const [field, spoil] of wrong) {
      const hello = helloOf({ packId: "dev" });
      const manifest = manifestOf(hello);
      if (manifest) spoil(manifest);
      const refused = await refusalOf(Promise.resolve(open(hub, only(hello)).next()));
      expect(refused.violations.map((one) => one.field)).toEqual([field]);
    }
    expect(await attachedIds(hub)).toEqual([]);
  });

  it("[DIS-01] is refused when the same version of a pack has other content than before", async () => {
    const { hub } = await stillHub();
    await new TestAgent(hub, { packId: "dev" }).receive("welcome");
    const other = new TestAgent(hub, { packId: "dev", instanceId: "dev-2", taskTypes: ["dance"] });
    expect(await refusalOf(other.ended)).toMatchObject({ kind: "precondition", code: "BATON-FLEET-003" });
    const newer = { packId: "dev", instanceId: "dev-3", taskTypes: ["dance"], packVersion: "1.1.0" };
    await new TestAgent(hub, newer).receive("welcome");
  });

  it("is refused when manifest and heartbeat name different packs", async () => {
    const { hub } = await stillHub();
    const hello = helloOf({ packId: "dev" });
    const manifest = manifestOf(hello);
    if (manifest) manifest.packId = "qa";
    expect(await refusalOf(Promise.resolve(open(hub, only(hello)).next()))).toMatchObject({
      code: "BATON-AGENT-003",
    });
  });

  it("is answered with a welcome: session, lease, and how often to send a heartbeat", async () => {
    const { hub } = await stillHub({ attach: { leaseTtlMs: 20_000, heartbeatIntervalMs: 5_000 } });
    const dev = new TestAgent(hub, { packId: "dev" });
    expect(await dev.receive("welcome")).toMatchObject({
      sessionId: expect.stringMatching(/./),
      acknowledgedSequence: 0n,
      leaseTtl: { seconds: 20n },
      heartbeatInterval: { seconds: 5n },
      orchestratorVersion: "0.1.0",
    });
    expect(dev.received[0]?.message.case).toBe("welcome");
  });

  it("is welcomed with times that can be sent, also when a lease is not divisible by three", async () => {
    const { hub } = await stillHub({ attach: { leaseTtlMs: 2_000, heartbeatIntervalMs: 2_000 / 3 } });
    const dev = new TestAgent(hub, { packId: "dev" });
    expect((await dev.receive("welcome")).heartbeatInterval).toMatchObject({
      seconds: 0n,
      nanos: 666_000_000,
    });
  });
});

describe("acknowledgements", () => {
  it("are for all messages up to one, when all of them are durable", async () => {
    const { hub, store } = await stillHub();
    const dev = new TestAgent(hub, { packId: "dev", answer: silent });
    await submit(hub);
    const envelope = await dev.envelope();
    store.shut();
    const first = dev.answer(envelope);
    for (let n = 0; n < 5; n++) dev.beat();
    const last = dev.lastSequence;
    await eventually("a transaction", () => store.committing > 0);
    await calm();
    expect(dev.all("acknowledged").filter(({ sequence }) => sequence >= first)).toEqual([]);
    store.open();
    await eventually("the last acknowledgement", () =>
      dev.all("acknowledged").some(({ sequence }) => sequence === last),
    );
    const numbers = dev.all("acknowledged").map(({ sequence }) => sequence);
    // What was waiting for the store became durable in two transactions: the one under way, and the next.
    expect(numbers.filter((sequence) => sequence >= first).length).toBeLessThanOrEqual(2);
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => Number(a - b)));
  });

  it("come on the stream that is open now, also for what came in on the one before", async () => {
    const { hub, store } = await stillHub();
    const older = new TestAgent(hub, { packId: "dev", answer: silent });
    const { sessionId } = await older.receive("welcome");
    const pipelineId = await submit(hub);
    const envelope = await older.envelope();
    const resume = { sessionId, lastSequence: 10n };
    const newer = new TestAgent(hub, { packId: "dev", answer: silent, resume }, [dispatchOf(envelope)]);
    await newer.receive("welcome");
    store.shut();
    // It was on its way on the older stream, and the agent cannot know.
    const result = { case: "result", value: resultFor(envelope) } as const;
    older.sayAs(10n, result);
    await eventually("a transaction", () => store.committing > 0);
    newer.sayAs(10n, result);
    await calm();
    store.open();
    expect(await newer.receive("acknowledged")).toMatchObject({ sequence: 10n });
    await reaches(hub, pipelineId, PipelineStatus.COMPLETED);
    expect(newer.all("refused")).toEqual([]);
  });

  it("are kept over a resumed session: what was acknowledged is ignored when it comes again", async () => {
    const { hub } = await stillHub();
    const dev = new TestAgent(hub, { packId: "dev", maxTasks: 2, answer: silent });
    const { sessionId } = await dev.receive("welcome");
    await submit(hub, { plan: onePlan });
    const envelope = await dev.envelope();
    const sequence = dev.answer(envelope);
    await eventually("its acknowledgement", () =>
      dev.all("acknowledged").some((one) => one.sequence >= sequence),
    );
    dev.vanish();
    const resume = { sessionId, lastSequence: sequence };
    const back = new TestAgent(hub, { packId: "dev", maxTasks: 2, answer: silent, resume });
    expect(await back.receive("welcome")).toMatchObject({ sessionId, acknowledgedSequence: sequence });
    back.sayAs(sequence, { case: "result", value: resultFor(envelope) });
    back.beat();
    await back.receive("acknowledged");
    const { entries } = await hub.listAuditEntries(
      ada,
      create(ListAuditEntriesRequestSchema, { pageSize: 500 }),
    );
    expect(entries.filter(({ action }) => action === "disregarded a result")).toEqual([]);
  });

  it("never make an agent wait for what another stream of its session has under way", async () => {
    const { hub, store } = await stillHub({ attach: { outstandingLimit: 1 } });
    const older = new TestAgent(hub, { packId: "dev", maxTasks: 2, answer: silent });
    const { sessionId } = await older.receive("welcome");
    const ids = [await submit(hub, { idempotencyKey: "one" }), await submit(hub, { idempotencyKey: "two" })];
    const [first, second] = [await older.envelope(1), await older.envelope(2)];
    const resume = { sessionId, lastSequence: 10n };
    const holds = [first, second].map(dispatchOf);
    const newer = new TestAgent(hub, { packId: "dev", maxTasks: 2, answer: silent, resume }, holds);
    await newer.receive("welcome");
    store.shut();
    const result = { case: "result", value: resultFor(first) } as const;
    older.sayAs(10n, result);
    await eventually("a transaction", () => store.committing > 0);
    newer.sayAs(10n, result);
    newer.answer(second);
    await calm();
    store.open();
    for (const id of ids) await reaches(hub, id, PipelineStatus.COMPLETED);
  });
});

describe("a session", () => {
  it("is new when its id is not known, or is another instance's", async () => {
    const { hub } = await stillHub();
    const dev = new TestAgent(hub, { packId: "dev" });
    const { sessionId } = await dev.receive("welcome");
    const foreign = [
      { packId: "qa", resume: { sessionId, lastSequence: 9n } },
      { packId: "dev", instanceId: "dev-2", resume: { sessionId, lastSequence: 9n } },
      { packId: "dev", instanceId: "dev-1", tenantId: "globex", resume: { sessionId, lastSequence: 9n } },
      { packId: "dev", instanceId: "dev-3", resume: { sessionId: "unknown", lastSequence: 9n } },
    ];
    for (const options of foreign) {
      const { sessionId: given, acknowledgedSequence } = await new TestAgent(hub, options).receive("welcome");
      expect(given).not.toBe(sessionId);
      expect(acknowledgedSequence).toBe(0n);
    }
    dev.beat();
    await dev.receive("acknowledged");
  });

  it("numbers from one again: kept messages that were renumbered are taken", async () => {
    const { hub } = await stillHub();
    const dev = new TestAgent(hub, { packId: "dev", answer: silent });
    await dev.receive("welcome");
    const pipelineId = await submit(hub);
    const envelope = await dev.envelope();
    dev.vanish();
    const resume = { sessionId: "of a hub before this one", lastSequence: 40n };
    const back = new TestAgent(hub, { packId: "dev", answer: silent, resume }, [dispatchOf(envelope)]);
    await back.receive("welcome");
    back.sayAs(2n, { case: "result", value: resultFor(envelope) });
    await reaches(hub, pipelineId, PipelineStatus.COMPLETED);
    expect(await back.receive("acknowledged")).toMatchObject({ sequence: 2n });
  });

  it("is forgotten when the instance has begun another one and the time to come back is over", async () => {
    const { hub, clock } = await stillHub();
    const dev = new TestAgent(hub, { packId: "dev" });
    const { sessionId } = await dev.receive("welcome");
    dev.vanish();
    await calm();
    const fresh = new TestAgent(hub, { packId: "dev" });
    await fresh.receive("welcome");
    await clock.pass(2_500);
    const resume = { sessionId, lastSequence: 1n };
    const back = new TestAgent(hub, { packId: "dev", resume });
    expect((await back.receive("welcome")).sessionId).not.toBe(sessionId);
  });
});

describe("two streams of one instance", () => {
  it("are one: the older is ended, and the instance is not taken as gone", async () => {
    const { hub, clock } = await stillHub();
    const older = new TestAgent(hub, { packId: "dev", answer: silent });
    await older.receive("welcome");
    const pipelineId = await submit(hub);
    const envelope = await older.envelope();
    const newer = new TestAgent(hub, { packId: "dev", answer: silent }, [dispatchOf(envelope)]);
    await newer.receive("welcome");
    await settles(older.ended, "the older stream to end");
    await clock.pass(5_000);
    expect(await attachedIds(hub)).toEqual(["dev-1"]);
    newer.answer(envelope);
    const { stages } = await reaches(hub, pipelineId, PipelineStatus.COMPLETED);
    expect(stages.map(({ attemptNumber }) => attemptNumber)).toEqual([1]);
  });

  it("are one also when they are opened at the same moment", async () => {
    const { hub } = await stillHub();
    const both = [new TestAgent(hub, { packId: "dev" }), new TestAgent(hub, { packId: "dev" })];
    await settles(Promise.race(both.map(({ ended }) => ended)), "one of the two to end");
    expect(await attachedIds(hub)).toEqual(["dev-1"]);
    await reaches(hub, await submit(hub), PipelineStatus.COMPLETED);
  });
});

describe("a stream that breaks", () => {
  it("leaves the instance time to come back; then its work is lost and goes elsewhere", async () => {
    const { hub, clock } = await stillHub({ attach: { resumeGraceMs: 2_000 } });
    const dev = new TestAgent(hub, { packId: "dev", answer: silent });
    const pipelineId = await submit(hub, { plan: onePlan });
    const envelope = await dev.envelope();
    const other = new TestAgent(hub, { packId: "dev", instanceId: "dev-2", answer: silent });
    await other.receive("welcome");
    dev.vanish();
    await clock.pass(1_900);
    expect(other.envelopes).toEqual([]);
    expect(await attachedIds(hub)).toEqual(["dev-2"]);
    await clock.pass(200);
    expect(other.envelopes.map(dispatchOf)).toEqual([`${pipelineId}/a/2`]);

    // An agent that comes back too late gets a cancel; its answer only goes on record (DIS-13).
    const late = new TestAgent(hub, { packId: "dev", answer: silent }, [dispatchOf(envelope)]);
    expect(await late.receive("cancel")).toMatchObject({ dispatchId: dispatchOf(envelope) });
    const before = await read(hub, pipelineId);
    late.answer(envelope);
    await late.receive("acknowledged");
    expect((await read(hub, pipelineId)).stages).toEqual(before.stages);
    const { entries } = await hub.listAuditEntries(
      ada,
      create(ListAuditEntriesRequestSchema, { orderBy: "sequence desc", pageSize: 1 }),
    );
    expect(entries[0]).toMatchObject({ action: "disregarded a result", dispatchId: dispatchOf(envelope) });
  });

  it("[DIS-03] [DIS-13] gets no task while its stream is gone: the task waits, and uses up no attempt", async () => {
    const { hub, clock } = await stillHub({ attach: { resumeGraceMs: 2_000 } });
    const dev = new TestAgent(hub, { packId: "dev" });
    await dev.receive("welcome");
    dev.vanish();
    await clock.pass(100);
    const pipelineId = await submit(hub, { plan: onePlan });
    await clock.pass(1_000);
    const { attempts } = await hub.getAttempts(ada, create(GetAttemptsRequestSchema, { pipelineId }));
    expect(attempts).toEqual([]);
    const filter = "event_type = DISPATCH_DECISION";
    const { entries } = await hub.listAuditEntries(ada, create(ListAuditEntriesRequestSchema, { filter }));
    expect(
      JSON.stringify(entries.at(-1)?.snapshot, (_, value) =>
        String(value) && typeof value === "bigint" ? `${value}` : value,
      ),
    ).toContain("its connection broke off");
    await new TestAgent(hub, { packId: "dev" }).receive("welcome");
    await reaches(hub, pipelineId, PipelineStatus.COMPLETED);
    const after = await hub.getAttempts(ada, create(GetAttemptsRequestSchema, { pipelineId }));
    expect(after.attempts).toHaveLength(1);
  });

  it("[DIS-13] is given as the reason of the new attempt in the same words everywhere", async () => {
    const { hub, clock } = await stillHub({ attach: { resumeGraceMs: 2_000 } });
    const dev = new TestAgent(hub, { packId: "dev", answer: silent });
    const pipelineId = await submit(hub, { plan: onePlan });
    await dev.envelope();
    dev.vanish();
    await clock.pass(2_100);
    await new TestAgent(hub, { packId: "dev" }).receive("welcome");
    await clock.pass(2_000);
    await reaches(hub, pipelineId, PipelineStatus.COMPLETED);
    const why = "its connection broke off";
    const { attempts } = await hub.getAttempts(ada, create(GetAttemptsRequestSchema, { pipelineId }));
    expect(attempts[0]).toMatchObject({ reason: why });
    const page = await hub.getTransitions(ada, create(GetTransitionsRequestSchema, { pipelineId }));
    expect(page.transitions.map(({ reason }) => reason)).toContain(why);
    const filter = "event_type = DISPATCH_TIMEOUT";
    const { entries } = await hub.listAuditEntries(ada, create(ListAuditEntriesRequestSchema, { filter }));
    expect(entries).toMatchObject([{ rationale: why }]);
  });

  it("[DIS-03] makes the instance gone from that moment on: never healthy, last in the list, and back when it is back", async () => {
    const { hub, clock } = await stillHub({ attach: { resumeGraceMs: 2_000 } });
    const dev = new TestAgent(hub, { packId: "dev" });
    await dev.receive("welcome");
    await new TestAgent(hub, { packId: "dev", instanceId: "dev-2" }).receive("welcome");
    const list = async (filter = "") => {
      const { agents } = await hub.listAgents(ada, create(ListAgentsRequestSchema, { filter }));
      return agents.map(({ heartbeat, goneSince }) => ({
        id: heartbeat?.instanceId,
        health: HealthStatus[heartbeat?.health?.status ?? HealthStatus.UNSPECIFIED],
        goneForMs: goneSince && clock.nowMs() - timestampMs(goneSince),
      }));
    };
    const there = { id: "dev-2", health: "HEALTHY", goneForMs: undefined };
    const back = { id: "dev-1", health: "HEALTHY", goneForMs: undefined };
    expect(await list()).toEqual([back, there]);
    dev.vanish();
    await clock.pass(1_000);
    expect(await list()).toEqual([there, { id: "dev-1", health: "UNHEALTHY", goneForMs: 1_000 }]);
    await clock.pass(6_000);
    expect(await list()).toEqual([there, { id: "dev-1", health: "UNHEALTHY", goneForMs: 7_000 }]);
    expect(await list("gone = false")).toEqual([there]);
    await new TestAgent(hub, { packId: "dev" }).receive("welcome");
    expect(await list()).toEqual([back, there]);
  });

  it("[DIS-03] costs nothing when the instance is back in time with what it had", async () => {
    const { hub, clock } = await stillHub({ attach: { resumeGraceMs: 2_000 } });
    const dev = new TestAgent(hub, { packId: "dev", answer: silent });
    const { sessionId } = await dev.receive("welcome");
    const pipelineId = await submit(hub, { plan: onePlan });
    const envelope = await dev.envelope();
    dev.vanish();
    await clock.pass(1_500);
    const resume = { sessionId, lastSequence: dev.lastSequence };
    const back = new TestAgent(hub, { packId: "dev", answer: silent, resume }, [dispatchOf(envelope)]);
    await back.receive("welcome");
    await clock.pass(10_000);
    back.answer(envelope);
    const { stages } = await reaches(hub, pipelineId, PipelineStatus.COMPLETED);
    expect(stages[0]?.attemptNumber).toBe(1);
    expect(back.all("cancel")).toEqual([]);
  });

  it("starts the time to come back again each time", async () => {
    const { hub, clock } = await stillHub({ attach: { resumeGraceMs: 2_000 } });
    const dev = new TestAgent(hub, { packId: "dev", answer: silent });
    const pipelineId = await submit(hub, { plan: onePlan });
    const envelope = await dev.envelope();
    dev.vanish();
    await clock.pass(1_500);
    const again = new TestAgent(hub, { packId: "dev", answer: silent }, [dispatchOf(envelope)]);
    await again.receive("welcome");
    again.vanish();
    await clock.pass(1_500);
    const back = new TestAgent(hub, { packId: "dev", answer: silent }, [dispatchOf(envelope)]);
    await back.receive("welcome");
    back.answer(envelope);
    const { stages } = await reaches(hub, pipelineId, PipelineStatus.COMPLETED);
    expect(stages[0]?.attemptNumber).toBe(1);
  });

  it("does not end the lease of an instance that is just being let in again", async () => {
    const { hub, clock, store } = await stillHub({ attach: { resumeGraceMs: 2_000 } });
    const dev = new TestAgent(hub, { packId: "dev", answer: silent });
    const pipelineId = await submit(hub, { plan: onePlan });
    const envelope = await dev.envelope();
    dev.vanish();
    await clock.pass(1_990);
    store.shut();
    const blocker = submit(hub, { idempotencyKey: "blocker", plan: onePlan });
    await eventually("a transaction", () => store.committing > 0);
    const back = new TestAgent(hub, { packId: "dev", answer: silent }, [dispatchOf(envelope)]);
    await clock.pass(100);
    store.open();
    await blocker;
    await back.receive("welcome");
    back.answer(envelope);
    const { stages } = await reaches(hub, pipelineId, PipelineStatus.COMPLETED);
    expect(stages[0]?.attemptNumber).toBe(1);
  });

  it("is tried again when the instance comes back without what it had", async () => {
    const { hub, clock } = await stillHub();
    const dev = new TestAgent(hub, { packId: "dev", answer: silent });
    const pipelineId = await submit(hub, { plan: onePlan });
    await dev.envelope();
    dev.vanish();
    await clock.pass(500);
    const back = new TestAgent(hub, { packId: "dev" });
    await back.receive("welcome");
    await clock.pass(100);
    const { stages } = await reaches(hub, pipelineId, PipelineStatus.COMPLETED);
    expect(stages[0]?.attemptNumber).toBe(2);
  });

  it("harms nobody when it breaks with an error while nobody reads its answers", async () => {
    const { hub } = await stillHub();
    const hello = helloOf({ packId: "dev" });
    const broken = (async function* () {
      yield hello;
      await calm(3);
      throw new Error("the connection was reset");
    })();
    const stream = open(hub, broken);
    const first = await stream.next();
    expect(first.value?.message.case).toBe("welcome");
    await calm();
    expect((await stream.next()).done).toBe(true);
    expect(await attachedIds(hub)).toEqual([]);
  });

  it("ends at once when the agent is gone already", async () => {
    const { hub } = await stillHub();
    const gone = AbortSignal.abort();
    const raw = new Raw();
    raw.push(helloOf({ packId: "dev" }));
    const stream = open(hub, raw, gone);
    const rest: AttachAgentResponse[] = [];
    const reading = (async () => {
      for (let next = await stream.next(); !next.done; next = await stream.next()) rest.push(next.value);
    })();
    await settles(reading, "the stream to end");
    expect(await attachedIds(hub)).toEqual([]);
  });
});

describe("an agent speaks only of its own attempts", () => {
  it("[DIS-14] and of no other instance's: its result is refused, and the other's counts", async () => {
    const { hub } = await stillHub();
    const dev = new TestAgent(hub, { packId: "dev", answer: silent });
    const pipelineId = await submit(hub);
    const envelope = await dev.envelope();
    const thief = new TestAgent(hub, { packId: "dev", instanceId: "dev-2", answer: silent });
    const foreign = new TestAgent(hub, { packId: "dev", tenantId: "globex", answer: silent });
    for (const one of [thief, foreign]) {
      await one.receive("welcome");
      const sequence = one.answer(envelope);
      const refused = await one.receive("refused");
      expect(refused).toMatchObject({ sequence, error: { code: "BATON-AGENT-002" } });
    }
    expect((await read(hub, pipelineId)).stages[0]).toMatchObject({ waitingFor: "the answer of dev-1" });
    dev.answer(envelope);
    await reaches(hub, pipelineId, PipelineStatus.COMPLETED);
  });

  it("[DIS-14] three answers to attempts it never had quarantine it, and each is audited", async () => {
    const { hub } = await stillHub();
    const dev = new TestAgent(hub, { packId: "dev", answer: silent });
    const pipelineId = await submit(hub);
    const envelope = await dev.envelope();
    const other = new TestAgent(hub, { packId: "dev", instanceId: "dev-2", answer: silent });
    await other.receive("welcome");
    const wrong = [{}, { dispatchId: "no-such-run/a/1" }, { dispatchId: `${dispatchOf(envelope)}0` }];
    for (const [count, init] of wrong.entries()) {
      other.answer(envelope, init);
      await other.receive("refused", count + 1);
    }
    const { agents } = await hub.listAgents(ada, create(ListAgentsRequestSchema));
    const standing = agents.map(({ heartbeat }) => [heartbeat?.instanceId, heartbeat?.health?.status]);
    expect(standing).toContainEqual(["dev-2", HealthStatus.QUARANTINED]);
    expect(standing).toContainEqual(["dev-1", HealthStatus.HEALTHY]);
    const request = create(ListAuditEntriesRequestSchema, { orderBy: "sequence desc", pageSize: 4 });
    const { entries } = await hub.listAuditEntries(ada, request);
    const unmatched = "refused a result that answers no attempt";
    const actions = ["quarantined instance dev-2", unmatched, unmatched, unmatched];
    expect(entries.map(({ action }) => action)).toEqual(actions);
    dev.answer(envelope);
    await reaches(hub, pipelineId, PipelineStatus.COMPLETED);
  });

  it("[DIS-13] [TUR-08] a late answer to an attempt that a rewind took back is not held against it", async () => {
    const { hub } = await stillHub();
    const dev = new TestAgent(hub, { packId: "dev", answer: silent });
    const pipelineId = await submit(hub);
    const first = await dev.envelope();
    dev.answer(first, { status: { outcome: Outcome.NON_RETRYABLE_FAILURE } });
    const { revision } = await reaches(hub, pipelineId, PipelineStatus.PAUSED);
    await rewind(hub, pipelineId, 1n);
    const second = await dev.envelope(2);
    // Back to where the first attempt had failed: the second never was, and its number stays used.
    await rewind(hub, pipelineId, revision);
    await dev.receive("cancel");
    const sequence = dev.answer(second);
    await eventually("its answer is acknowledged", () =>
      dev.all("acknowledged").some((one) => one.sequence >= sequence),
    );
    expect(dev.all("refused")).toEqual([]);
    const request = create(ListAuditEntriesRequestSchema, { orderBy: "sequence desc", pageSize: 1 });
    const { entries } = await hub.listAuditEntries(ada, request);
    expect(entries.map(({ action, dispatchId }) => [action, dispatchId])).toEqual([
      ["disregarded a result", dispatchOf(second)],
    ]);
  });

  it("and of itself: a heartbeat of another instance is refused", async () => {
    const { hub } = await stillHub();
    const dev = new TestAgent(hub, { packId: "dev" });
    await dev.receive("welcome");
    dev.say({ case: "heartbeat", value: { packId: "dev", instanceId: "dev-2" } });
    expect((await dev.receive("refused")).error).toMatchObject({ code: "BATON-AGENT-003" });
  });

  it("is refused message by message, never the stream: what is invalid names its place", async () => {
    const { hub } = await stillHub();
    const dev = new TestAgent(hub, { packId: "dev", answer: silent });
    const pipelineId = await submit(hub);
    const envelope = await dev.envelope();
    dev.say({ case: "turn", value: { turnIndex: -1 } }, dispatchOf(envelope));
    const { error } = await dev.receive("refused");
    expect(error?.violations.length).toBeGreaterThan(0);
    expect(error?.fix).not.toBe("");
    dev.answer(envelope);
    await reaches(hub, pipelineId, PipelineStatus.COMPLETED);
  });
});

describe("what the agent has and nobody waits for", () => {
  it("is cancelled when it says hello", async () => {
    const { hub } = await stillHub();
    const dev = new TestAgent(hub, { packId: "dev" }, ["p-unknown/a/1", "nonsense"]);
    await dev.receive("cancel", 2);
    expect(dev.all("cancel").map(({ dispatchId }) => dispatchId)).toEqual(["p-unknown/a/1", "nonsense"]);
    dev.say({ case: "cancelled", value: { outcome: CancelOutcome.STOPPED } }, "p-unknown/a/1");
    const acknowledged = await dev.receive("acknowledged");
    expect(acknowledged.sequence).toBe(dev.lastSequence);
  });
});

describe("limits of a stream", () => {
  it("beyond what is not durable yet, it is not read", async () => {
    const { hub, store } = await stillHub({ attach: { outstandingLimit: 3 } });
    const raw = new Raw();
    const hello = helloOf({ packId: "dev" });
    raw.push(hello);
    const stream = open(hub, raw);
    expect((await stream.next()).value?.message.case).toBe("welcome");
    const pipelineId = await submit(hub);
    const next = await stream.next();
    const { message } = next.value ?? {};
    if (message?.case !== "dispatch") throw new Error("an envelope comes");
    store.shut();
    const taken = raw.taken;
    const result = resultFor(message.value);
    for (let n = 0; n < 50; n++) {
      raw.push(
        create(AttachAgentRequestSchema, {
          sequence: BigInt(n + 2),
          message: { case: "result", value: result },
        }),
      );
    }
    await eventually("a transaction", () => store.committing > 0);
    await calm();
    expect(raw.taken - taken).toBe(3);
    store.open();
    await eventually("all of them", () => raw.taken - taken === 50);
    await reaches(hub, pipelineId, PipelineStatus.COMPLETED);
  });

  it("[DIS-12] an agent that does not read its stream is not given more: what did not leave is tried again", async () => {
    const { hub, clock } = await stillHub({ attach: { outgoingLimit: 3 } });
    const raw = new Raw();
    raw.push(helloOf({ packId: "dev", maxTasks: 50 }));
    const stream = open(hub, raw);
    expect((await stream.next()).value?.message.case).toBe("welcome");
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) ids.push(await submit(hub, { idempotencyKey: `key-${n}`, plan: onePlan }));
    const waits = async () =>
      (await Promise.all(ids.map((id) => read(hub, id)))).map(({ stages }) => stages[0]?.waitingFor ?? "");
    await eventually("two that wait for another attempt", async () => {
      return (await waits()).filter((wait) => wait.startsWith("the next attempt")).length === 2;
    });
    const seen = new Set<string>();
    const reading = (async () => {
      for (let next = await stream.next(); !next.done; next = await stream.next()) {
        const { message } = next.value;
        if (message.case === "dispatch") seen.add(dispatchOf(message.value));
      }
    })();
    await clock.pass(5_000);
    await eventually(
      "the rest",
      () => seen.size === 5,
      () => [...seen],
    );
    expect([...seen].map((id) => id.slice(0, id.indexOf("/"))).sort()).toEqual([...ids].sort());
    void reading;
  });
});

describe("drain", () => {
  it("[TRN-05] sends every agent its grace, and ends its stream", async () => {
    const hub = await testHub();
    const agents = ["dev", "qa"].map((packId) => new TestAgent(hub, { packId, answer: silent }));
    for (const agent of agents) await agent.receive("welcome");
    await settles(hub.drain(1_500), "the hub to close");
    for (const agent of agents) {
      await settles(agent.ended, "the stream to end");
      expect(agent.received.at(-1)?.message).toMatchObject({
        case: "drain",
        value: { reason: expect.stringMatching(/./), grace: { seconds: 1n, nanos: 500_000_000 } },
      });
    }
    expect(hub.whyNotReady()).toBeDefined();
  });

  it("[TRN-05] lets who is at work finish, takes nothing new at once, and sends nothing more", async () => {
    const lives = new Lives(openMemoryStore());
    const { hub } = await lives.begin();
    const dev = new TestAgent(hub, { packId: "dev", answer: silent });
    const idle = new TestAgent(hub, { packId: "qa", answer: silent });
    const plan = planOf(stages({ a: fast, b: { ...fast, dependsOnStages: ["a"], taskType: "review" } }));
    const pipelineId = await submit(hub, { plan });
    const envelope = await dev.envelope();
    let isClosed = false;
    const closed = hub.drain(60_000).then(() => {
      isClosed = true;
    });
    expect(hub.whyNotReady()).toBeDefined();
    expect(await refusalOf(submit(hub, { idempotencyKey: "too late" }))).toMatchObject({
      kind: "unavailable",
      retryAfterMs: expect.any(Number),
    });
    expect(await dev.receive("drain")).toMatchObject({ grace: { seconds: 60n } });
    await calm();
    expect(isClosed).toBe(false);
    const sequence = dev.answer(envelope);
    await settles(closed, "the hub to close");
    await settles(dev.ended, "the stream to end");
    expect(dev.all("acknowledged").at(-1)?.sequence).toBe(sequence);
    expect((await read(hub, pipelineId)).stages[0]?.status).toBe(StageStatus.COMPLETED);
    expect(idle.envelopes).toEqual([]);
    const next = await lives.begin();
    const qa = idle.moveTo(next.hub);
    qa.answer(await qa.envelope());
    const done = await reaches(next.hub, pipelineId, PipelineStatus.COMPLETED);
    expect(done.stages.map(({ attemptNumber }) => attemptNumber)).toEqual([1, 1]);
    await next.hub.drain(0);
  });

  it("[TRN-05] [PIP-11] hands over what is not finished when the grace is over: it goes on after the restart", async () => {
    const lives = new Lives(openMemoryStore());
    const { hub } = await lives.begin();
    const dev = new TestAgent(hub, { packId: "dev", answer: silent });
    const pipelineId = await submit(hub);
    const envelope = await dev.envelope();
    await settles(hub.drain(50), "the hub to close");
    await settles(dev.ended, "the stream to end");
    const next = await lives.begin();
    const back = dev.moveTo(next.hub);
    await back.receive("welcome");
    back.answer(envelope);
    const done = await reaches(next.hub, pipelineId, PipelineStatus.COMPLETED);
    expect(done.stages.map(({ attemptNumber }) => attemptNumber)).toEqual([1]);
    expect(back.all("cancel")).toEqual([]);
    await next.hub.drain(0);
  });

  it("[TRN-05] does not wait for an agent that is gone", async () => {
    const hub = await testHub();
    const dev = new TestAgent(hub, { packId: "dev", answer: silent });
    await submit(hub);
    await dev.envelope();
    const closed = hub.drain(600_000);
    await dev.receive("drain");
    dev.vanish();
    await settles(closed, "the hub to close");
  });
});

function manifestOf({ message }: AttachAgentRequest) {
  return message.case === "hello" ? message.value.manifest : undefined;
}

async function* only(...messages: AttachAgentRequest[]): AsyncGenerator<AttachAgentRequest> {
  yield* messages;
}
