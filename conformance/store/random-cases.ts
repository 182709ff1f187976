import { Conflict } from "@baton/runtime";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyStep, batchFor, isStale } from "./any-steps.ts";
import { Model, readEverything } from "./model.ts";
import type { StoreUnderTest } from "./under-test.ts";

/** A run is a store with a dozen batches, each of which waits for the disk. */
const numRuns = Math.ceil(Number(process.env.BATON_FUZZ_RUNS ?? 500) / 40);

export function randomCases(subject: StoreUnderTest): void {
  describe("any batches", () => {
    it("[OBS-02] [PIP-11] leaves exactly what was committed, also when it is opened again", async () => {
      const steps = fc.array(anyStep, { minLength: 1, maxLength: 12 });
      await fc.assert(
        fc.asyncProperty(steps, async (taken) => {
          const { store: first, reopen, dispose } = await subject.open();
          try {
            const model = new Model();
            for (const step of taken) {
              const next = batchFor(model, step);
              if (isStale(model, next)) await expect(first.commit(next)).rejects.toBeInstanceOf(Conflict);
              else {
                await first.commit(next);
                model.apply(next);
              }
            }
            expect(await readEverything(first, model)).toEqual(model.everything());
            expect(await first.check()).toEqual([]);
            const again = await reopen?.();
            if (again !== undefined) expect(await readEverything(again, model)).toEqual(model.everything());
          } finally {
            await dispose();
          }
        }),
        { numRuns },
      );
    });
  });
}
