import type { Retention, Store } from "@baton/runtime";
import { describe, expect, it } from "vitest";
import { batch, callRow, eventRow, heldRow, startMs, transition, turnRow } from "./rows.ts";
import { openForTest, type StoreUnderTest } from "./under-test.ts";

const everything: Retention = {
  events: { fromMs: undefined, bytes: undefined },
  turns: { fromMs: undefined, bytes: undefined },
};

/** Until a round finds nothing more. */
async function pruneAll(store: Store, keep: Partial<Retention>): Promise<void> {
  while (await store.prune({ ...everything, ...keep }));
}

export function turnCases(subject: StoreUnderTest): void {
  describe("what agents told", () => {
    it("[TUR-02] has turns by their index, however they came, and each of them once", async () => {
      const store = await openForTest(
        subject,
        batch({ transitions: [transition("p1", 0)], turns: [turnRow("p1", 2), turnRow("p1", 0)] }),
        batch({ turns: [turnRow("p1", 2, { envelope: "another" }), turnRow("p1", 7), turnRow("p1", 1)] }),
        batch({ turns: [turnRow("p1", 0, { dispatchId: "p1/implement/2" })] }),
      );
      const attempt = "p1/implement/1";
      expect(await store.turns(attempt, -1, 10)).toEqual([0, 1, 2, 7].map((index) => turnRow("p1", index)));
      expect(await store.turns(attempt, 1, 1)).toEqual([turnRow("p1", 2)]);
      expect(await store.turns("p1/implement/3", -1, 10)).toEqual([]);
      expect(await store.hasTurn(attempt, 7)).toBe(true);
      expect(await store.hasTurn(attempt, 3)).toBe(false);
    });

    it("[TUR-03] has a turn as it was written, however long", async () => {
      const envelope = JSON.stringify({ thought: "as it was \u{1f642}\u0000 ".repeat(100_000) });
      const store = await openForTest(
        subject,
        batch({ transitions: [transition("p1", 0)], turns: [turnRow("p1", 0, { envelope })] }),
      );
      const [kept] = await store.turns("p1/implement/1", -1, 1);
      expect(kept?.envelope === envelope).toBe(true);
    });

    it("[TUR-02] has the state of every stage that moved, and the last commit", async () => {
      const moved = (stageId: string, state: string, headHash?: string) => ({ stageId, state, headHash });
      const store = await openForTest(
        subject,
        batch({ transitions: [transition("p1", 0, { tasks: [moved("b", "READY"), moved("a", "READY")] })] }),
        batch({ transitions: [transition("p1", 1, { tasks: [moved("a", "COMPLETED", "c0ffee")] })] }),
        batch({ transitions: [transition("p1", 2, { tasks: [moved("a", "READY")] })] }),
      );
      expect(await store.tasks("p1")).toEqual([moved("a", "READY", "c0ffee"), moved("b", "READY")]);
      expect(await store.tasks("p2")).toEqual([]);
    });

    it("[TUR-05] has the calls that have not ended, also when it is opened again", async () => {
      const { store: first, reopen, dispose } = await subject.open();
      try {
        const { dispatchId } = callRow("p1", "c1");
        await first.commit(
          batch({
            transitions: [transition("p1", 0)],
            callsBegun: [callRow("p1", "c1"), callRow("p1", "c2", { atMs: startMs + 1 })],
          }),
        );
        await first.commit(
          batch({
            callsBegun: [callRow("p1", "c2", { tool: "another" }), callRow("p1", "c3")],
            callsEnded: [
              { dispatchId, callId: "c1" },
              { dispatchId, callId: "c3" },
              { dispatchId, callId: "c9" },
            ],
          }),
        );
        const store = (await reopen?.()) ?? first;
        expect(await store.openCalls()).toEqual([callRow("p1", "c2", { atMs: startMs + 1 })]);
      } finally {
        await dispose();
      }
    });
  });

  it("[TUR-06] has what is held back of an attempt as it was last, also when it is opened again", async () => {
    const { store: first, reopen, dispose } = await subject.open();
    try {
      const transitions = ["p1", "p2", "p3"].map((pipelineId) => transition(pipelineId, 0));
      await first.commit(batch({ transitions, held: [heldRow("p1", "wo"), heldRow("p2", "gh")] }));
      await first.commit(batch({ held: [heldRow("p1", "wor"), heldRow("p2", ""), heldRow("p3", "")] }));
      const store = (await reopen?.()) ?? first;
      expect(await store.heldBack()).toEqual([heldRow("p1", "wor")]);
    } finally {
      await dispose();
    }
  });

  describe("pruning", () => {
    const at = (tenantId: string, sequence: bigint, atMs: number) => ({
      ...eventRow(tenantId, sequence, sequence),
      atMs,
    });
    const sequences = async (store: Store, tenantId = "acme") =>
      (await store.events(tenantId, 0n, 10_000)).map(({ firstSequence }) => Number(firstSequence));

    it("[TUR-04] removes events that are too old, in their order, and never the last ones", async () => {
      const store = await openForTest(
        subject,
        batch({ events: [1n, 2n, 3n, 4n].map((n) => at("acme", n, startMs + Number(n))) }),
        batch({ events: [at("zenith", 1n, startMs)] }),
      );
      await pruneAll(store, { events: { fromMs: startMs + 3, bytes: undefined } });
      expect(await sequences(store)).toEqual([3, 4]);
      await pruneAll(store, { events: { fromMs: startMs + 1_000, bytes: undefined } });
      expect(await sequences(store)).toEqual([4]);
      expect(await sequences(store, "zenith")).toEqual([1]);
      await store.commit(batch({ events: [eventRow("acme", 5n, 5n)] }));
      expect(await sequences(store)).toEqual([4, 5]);
      expect(await store.check()).toEqual([]);
    });

    it("[TUR-04] removes the oldest events of a tenant that has more than its share, and no other's", async () => {
      const events = new Uint8Array(1_000);
      const many = Array.from({ length: 2_500 }, (_, place) => ({
        ...eventRow("acme", BigInt(place + 1), BigInt(place + 1)),
        events,
      }));
      const store = await openForTest(
        subject,
        batch({ events: many }),
        batch({
          events: [
            { ...eventRow("zenith", 1n, 1n), events },
            { ...eventRow("zenith", 2n, 2n), events },
          ],
        }),
      );
      const share = { fromMs: undefined, bytes: 10_000 };
      await pruneAll(store, { events: share });
      expect(await sequences(store)).toEqual([2491, 2492, 2493, 2494, 2495, 2496, 2497, 2498, 2499, 2500]);
      expect(await sequences(store, "zenith")).toEqual([1, 2]);
      await store.commit(batch({ events: [{ ...eventRow("acme", 2501n, 2501n), events }] }));
      await pruneAll(store, { events: share });
      expect((await sequences(store))[0]).toBe(2492);
    });

    it("[TUR-02] removes turns by age and by size, and leaves journal and record alone", async () => {
      const envelope = "x".repeat(1_000);
      const store = await openForTest(
        subject,
        batch({
          transitions: [transition("p1", 0)],
          turns: Array.from({ length: 10 }, (_, index) => turnRow("p1", index, { envelope })),
        }),
      );
      const indexes = async () =>
        (await store.turns("p1/implement/1", -1, 100)).map(({ turnIndex }) => turnIndex);
      await pruneAll(store, { turns: { fromMs: startMs + 2, bytes: undefined } });
      expect(await indexes()).toEqual([2, 3, 4, 5, 6, 7, 8, 9]);
      await pruneAll(store, { turns: { fromMs: undefined, bytes: 3_000 } });
      expect(await indexes()).toEqual([7, 8, 9]);
      await pruneAll(store, { turns: { fromMs: startMs + 1_000, bytes: 0 } });
      expect(await indexes()).toEqual([]);
      expect((await store.journal("p1"))?.version).toBe(1);
      expect(await store.check()).toEqual([]);
    });
  });
}
