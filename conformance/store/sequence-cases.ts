import { type Batch, OutOfSequence } from "@baton/runtime";
import { describe, expect, it } from "vitest";
import { batch, transition } from "./rows.ts";
import { openForTest, type StoreUnderTest } from "./under-test.ts";

function batchOf(writer: string, sequence: number, parts: Partial<Batch> = {}): Batch {
  return batch({ id: { writer, sequence }, ...parts });
}

/** The batch that moves `pipelineId` to its next version. */
function move(writer: string, sequence: number, pipelineId: string, version: number): Batch {
  return batchOf(writer, sequence, { transitions: [transition(pipelineId, version)] });
}

export function sequenceCases(subject: StoreUnderTest): void {
  describe("the numbers of batches", () => {
    it("[PIP-11] returns the last batch of each writer, also after it is opened again", async () => {
      const { store: first, reopen, dispose } = await subject.open();
      try {
        expect(await first.lastBatch("a")).toBe(0);
        await first.commit(batchOf("a", 1));
        await first.commit(move("a", 2, "p1", 0));
        await first.commit(batchOf("b", 1));
        const store = (await reopen?.()) ?? first;
        expect(await Promise.all(["a", "b", "c"].map((writer) => store.lastBatch(writer)))).toEqual([
          2, 1, 0,
        ]);
        await store.commit(batchOf("a", 3));
        expect(await store.lastBatch("a")).toBe(3);
      } finally {
        await dispose();
      }
    });

    it.each([
      { name: "repeats the last one", sequence: 2 },
      { name: "repeats an earlier one", sequence: 1 },
      { name: "leaves one out", sequence: 4 },
    ])("[PIP-11] [PIP-13] stores nothing of a batch that $name", async ({ sequence }) => {
      const store = await openForTest(subject, batchOf("a", 1), batchOf("a", 2));
      const error = await store.commit(move("a", sequence, "p1", 0)).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(OutOfSequence);
      expect(error).toMatchObject({ writer: "a", sequence, last: 2 });
      expect(await store.pipeline("p1")).toBeUndefined();
      expect(await store.lastBatch("a")).toBe(2);
      await store.commit(move("a", 3, "p1", 0));
      expect(await store.lastBatch("a")).toBe(3);
    });

    it("[PIP-13] stores nothing of a writer that begins above one", async () => {
      const store = await openForTest(subject);
      await expect(store.commit(move("a", 2, "p1", 0))).rejects.toMatchObject({ writer: "a", last: 0 });
      expect(await store.pipeline("p1")).toBeUndefined();
    });

    it.each([0, -1, 1.5, Number.NaN])("refuses the number %d", async (sequence) => {
      const store = await openForTest(subject);
      await expect(store.commit(batchOf("a", sequence))).rejects.toMatchObject({ code: "BATON-STORE-008" });
    });

    it("[PIP-11] does not use up the number of a batch that it refuses", async () => {
      const store = await openForTest(subject, move("a", 1, "p1", 0));
      await expect(store.commit(move("a", 2, "p1", 0))).rejects.toMatchObject({ name: "Conflict" });
      expect(await store.lastBatch("a")).toBe(1);
      await store.commit(move("a", 2, "p1", 1));
      expect(await store.lastBatch("a")).toBe(2);
    });
  });
}
