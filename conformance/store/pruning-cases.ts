import type { Retention, Store } from "@baton/runtime";
import { describe, expect, it } from "vitest";
import { batch, eventRow, pipelineRow, startMs, stepRow, transition, turnRow } from "./rows.ts";
import { openForTest, type StoreUnderTest } from "./under-test.ts";

const everything: Retention = {
  events: { fromMs: undefined, bytes: undefined },
  turns: { fromMs: undefined, bytes: undefined },
};

/** Repeats until a round removes nothing more. */
async function pruneAll(store: Store, keep: Partial<Retention>): Promise<void> {
  while (await store.prune({ ...everything, ...keep }));
}

export function pruningCases(subject: StoreUnderTest): void {
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

    it("[PIP-11] removes steps by age, and none of a pipeline that has not ended", async () => {
      const ended = pipelineRow("p2", { ended: true });
      const store = await openForTest(
        subject,
        batch({
          transitions: [transition("p1", 0), transition("p2", 0, { row: ended })],
          steps: [1, 2, 3].flatMap((ordinal) => [stepRow("p1", ordinal), stepRow("p2", ordinal)]),
        }),
      );
      const ordinals = async (pipelineId: string) =>
        (await store.steps(`${pipelineId}/implement/1`, 0, 100, 0)).map(({ ordinal }) => ordinal);
      await pruneAll(store, { turns: { fromMs: startMs + 3, bytes: undefined } });
      expect(await ordinals("p2")).toEqual([3]);
      expect(await ordinals("p1")).toEqual([1, 2, 3]);
      await pruneAll(store, { turns: { fromMs: undefined, bytes: 0 } });
      expect(await ordinals("p2")).toEqual([3]);
      expect(await store.check()).toEqual([]);
    });
  });
}
