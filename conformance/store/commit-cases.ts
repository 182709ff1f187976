import { Conflict, type Store, StoreUnavailable } from "@baton/runtime";
import { describe, expect, it } from "vitest";
import { Model, readEverything } from "./model.ts";
import {
  auditRow,
  batch,
  content,
  escalationRow,
  eventRow,
  pipelineRow,
  startMs,
  timer,
  transition,
} from "./rows.ts";
import { openForTest, type StoreUnderTest } from "./under-test.ts";

export function commitCases(subject: StoreUnderTest): void {
  describe("commit", () => {
    it("[PIP-11] appends to a journal from the version its writer has seen", async () => {
      const store = await openForTest(
        subject,
        batch({ transitions: [transition("p1", 0, { records: { text: "one, two", count: 2 } })] }),
        batch({ transitions: [transition("p1", 2, { records: { text: "three", count: 1 } })] }),
      );
      expect(await store.journal("p1")).toEqual({
        pipelineId: "p1",
        texts: ["one, two", "three"],
        version: 3,
        contents: new Map(),
      });
      expect(await store.journal("p2")).toBeUndefined();
    });

    it("keeps a content of a pipeline once, and one for each pipeline", async () => {
      const [long, other] = [content("a long text"), content("")];
      const store = await openForTest(
        subject,
        batch({ transitions: [transition("p1", 0, { contents: [long, long, other] })] }),
        batch({
          transitions: [transition("p1", 1, { contents: [long] }), transition("p2", 0, { contents: [long] })],
        }),
      );
      expect((await store.journal("p1"))?.contents).toEqual(
        new Map([long, other].map(({ digest, bytes }) => [digest, bytes])),
      );
      expect((await store.journal("p2"))?.contents).toEqual(new Map([[long.digest, long.bytes]]));
    });

    it("[PIP-11] stores concurrent batches in the order of the calls", async () => {
      const store = await openForTest(subject);
      const versions = Array.from({ length: 20 }, (_, version) => version);
      const stored: number[] = [];
      await Promise.all(
        versions.map(async (version) => {
          const records = { text: `record ${version}`, count: 1 };
          await store.commit(batch({ transitions: [transition("p1", version, { records })] }));
          stored.push(version);
        }),
      );
      expect(stored).toEqual(versions);
      expect((await store.journal("p1"))?.texts).toEqual(versions.map((version) => `record ${version}`));
    });

    it.each([
      {
        name: "has missed a record",
        parts: { transitions: [transition("p1", 3)] },
        error: { name: "Conflict" },
      },
      {
        name: "is refused as it is",
        parts: { transitions: [transition("p0", 0), transition("p0", 1)] },
        error: { code: "BATON-STORE-008" },
      },
    ])("[PIP-11] stores none of the batches behind one that $name", async ({ parts, error }) => {
      const { store, model } = await openFilled(subject);
      const ahead = batch({ transitions: [transition("p5", 0)] });
      const behind = ["p6", "p7"].map((id) => batch({ transitions: [transition(id, 0)] }));
      const given = [ahead, batch(parts), ...behind].map((one) => store.commit(one));
      const outcomes = await Promise.allSettled(given);
      const rejected = { status: "rejected", reason: expect.objectContaining(error) };
      expect(outcomes).toEqual([{ status: "fulfilled", value: undefined }, rejected, rejected, rejected]);
      model.apply(ahead);
      expect(await readEverything(store, model)).toEqual(model.everything());
      for (const id of ["p0", "p6", "p7"]) expect(await store.pipeline(id)).toBeUndefined();
      // Later batches start again after the failure.
      for (const one of behind) await store.commit(one);
      expect(await store.pipeline("p7")).toBeDefined();
    });

    it.each([
      { name: "a pipeline that is there is made again", move: transition("p1", 0), actual: 2 },
      { name: "the writer has missed a record", move: transition("p1", 1), actual: 2 },
      { name: "the writer has seen a record that is not there", move: transition("p1", 3), actual: 2 },
      { name: "a pipeline that is not there goes on", move: transition("p9", 1), actual: 0 },
    ])("[OBS-02] [PIP-13] stores nothing of a batch when $name", async ({ move, actual }) => {
      const { store, model } = await openFilled(subject);
      const whole = batch({
        transitions: [
          transition("p0", 0),
          { ...move, timersSet: [timer(move.pipelineId, "t", 1)] },
          transition("p2", 0),
        ],
        fleet: [{ tenantId: "acme", text: "more" }],
        audit: [auditRow("acme", 2n)],
        events: [eventRow("acme", 4n, 4n)],
        completedCommands: [1],
        firedTimers: [timer("p1", "deadline", startMs)],
      });
      const error = await store.commit(whole).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(Conflict);
      expect(error).toMatchObject({
        pipelineId: move.pipelineId,
        expectedVersion: move.expectedVersion,
        actualVersion: actual,
      });
      expect(await readEverything(store, model)).toEqual(model.everything());
      expect(await store.pipeline("p0")).toBeUndefined();
      expect(await store.pipeline("p2")).toBeUndefined();
    });

    it.each([
      { name: "an audit sequence twice", parts: { audit: [auditRow("acme", 1n)] } },
      { name: "a gap in an audit record", parts: { audit: [auditRow("acme", 2n), auditRow("acme", 4n)] } },
      { name: "an audit record that does not begin with one", parts: { audit: [auditRow("new", 2n)] } },
      { name: "an event sequence twice", parts: { events: [eventRow("acme", 3n, 4n)] } },
      { name: "a gap between events", parts: { events: [eventRow("acme", 5n, 6n)] } },
      { name: "events that end before they begin", parts: { events: [eventRow("acme", 4n, 3n)] } },
      { name: "a pipeline twice", parts: { transitions: [transition("p0", 0), transition("p0", 1)] } },
      { name: "no record", parts: { transitions: [transition("p0", 0, { count: 0 })] } },
      {
        name: "the row of another",
        parts: { transitions: [transition("p0", 0, { row: pipelineRow("p1") })] },
      },
      {
        name: "a command id that waits already",
        parts: {
          transitions: [transition("p0", 0, { commands: [{ id: 1, pipelineId: "p0", text: "again" }] })],
        },
      },
      {
        name: "a digest that is none",
        parts: {
          transitions: [transition("p0", 0, { contents: [{ digest: "abc", bytes: new Uint8Array() }] })],
        },
      },
    ])("[OBS-02] refuses a batch with $name, and stores nothing of it", async ({ parts }) => {
      const { store, model } = await openFilled(subject);
      const whole = batch({
        transitions: [transition("p7", 0)],
        fleet: [{ tenantId: "acme", text: "x" }],
        ...parts,
      });
      const error = await store.commit(whole).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(StoreUnavailable);
      expect(error).toMatchObject({ code: "BATON-STORE-008", mayPass: false });
      expect(await readEverything(store, model)).toEqual(model.everything());
      expect(await store.pipeline("p7")).toBeUndefined();
      // The store continues to work.
      await store.commit(batch({ transitions: [transition("p7", 0)], audit: [auditRow("acme", 2n)] }));
      expect(await store.journal("p7")).toMatchObject({ version: 1 });
    });

    it("[PIP-13] lets one of many writers win when all have seen the same", async () => {
      const store = await openForTest(subject);
      const writers = Array.from({ length: 20 }, (_, index) =>
        store.commit(
          batch({ transitions: [transition("p1", 0, { records: { text: `writer ${index}`, count: 1 } })] }),
        ),
      );
      const outcomes = await Promise.allSettled(writers);
      expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      const winner = outcomes.findIndex(({ status }) => status === "fulfilled");
      expect((await store.journal("p1"))?.texts).toEqual([`writer ${winner}`]);
    });

    it("takes batches of different pipelines at the same time", async () => {
      const store = await openForTest(subject);
      const ids = Array.from({ length: 30 }, (_, index) => `p${index}`);
      await Promise.all(ids.map((id) => store.commit(batch({ transitions: [transition(id, 0)] }))));
      await Promise.all(ids.map((id) => store.commit(batch({ transitions: [transition(id, 1)] }))));
      const journals = await Promise.all(ids.map((id) => store.journal(id)));
      expect(journals.map((journal) => journal?.version)).toEqual(ids.map(() => 2));
    });

    it("takes an empty batch", async () => {
      const store = await openForTest(subject, batch({}));
      expect(await readEverything(store, new Model())).toEqual(new Model().everything());
    });

    it("[OBS-03] keeps its bytes when the caller changes those it passed or received", async () => {
      // Slices of a Buffer share its bytes.
      const given = auditRow("acme", 1n, { entry: Buffer.from([1, 2, 3]) });
      const store = await openForTest(subject, batch({ audit: [given] }));
      given.entry.fill(0);
      const read = async () => (await readAudit(store))[0]?.entry;
      expect(await read()).toEqual(new Uint8Array([1, 2, 3]));
      (await read())?.fill(9);
      expect(await read()).toEqual(new Uint8Array([1, 2, 3]));
    });
  });
}

function readAudit(store: Store) {
  const orderBy = [{ field: "sequence", descending: false }] as const;
  return store.auditEntries({ tenantId: "acme", where: [], orderBy, after: undefined, limit: 10 });
}

/** A store with rows of every kind, and its model. */
async function openFilled(subject: StoreUnderTest): Promise<{ store: Store; model: Model }> {
  const filling = batch({
    transitions: [
      transition("p1", 0, {
        count: 2,
        contents: [content("something")],
        commands: [{ id: 1, pipelineId: "p1", text: "send" }],
        timersSet: [timer("p1", "deadline", startMs)],
        escalations: [escalationRow("e1", "p1")],
      }),
    ],
    fleet: [{ tenantId: "acme", text: "registered" }],
    audit: [auditRow("acme", 1n, { pipelineId: "p1" })],
    events: [eventRow("acme", 1n, 3n)],
  });
  const model = new Model();
  model.apply(filling);
  return { store: await openForTest(subject, filling), model };
}
