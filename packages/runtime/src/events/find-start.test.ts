import { WatchEventsRequestSchema, type WatchEventsResponse } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { ada, submit, TestStore, testHub, VirtualClock } from "../../testing/index.ts";
import type { Hub } from "../api/hub.ts";
import type { EventRow, PipelineRow } from "../ports/store.ts";
import { openMemoryStore } from "../stores/index.ts";
import { openForTest, scratchForTest } from "../stores/sqlite/testing/scratch.ts";
import { findStart } from "./find-start.ts";

/** A store that counts the rows of events that are read. */
class CountingStore extends TestStore {
  rowsRead = 0;
  override async events(tenantId: string, after: bigint, limit: number) {
    const rows = await super.events(tenantId, after, limit);
    this.rowsRead += rows.length;
    return rows;
  }
}

async function watchUntilCaughtUp(
  hub: Hub,
  filter: string,
  afterSequence = 0n,
): Promise<readonly WatchEventsResponse["message"][]> {
  const stop = new AbortController();
  const seen: WatchEventsResponse["message"][] = [];
  const request = create(WatchEventsRequestSchema, { filter, afterSequence });
  for await (const { message } of hub.watchEvents(ada, request, stop.signal)) {
    seen.push(message);
    if (message.case === "caughtUp") break;
  }
  stop.abort();
  return seen;
}

describe.each([
  ["memory", () => Promise.resolve(openMemoryStore())],
  ["SQLite", () => openForTest(scratchForTest())],
])("a watch of one pipeline, with a store in %s", (_, open) => {
  it("[TUR-04] does not read what was stored before the pipeline was made, and misses nothing of it", async () => {
    const clock = new VirtualClock();
    const store = new CountingStore(await open());
    const hub = await testHub({ store, clock });
    onTestFinished(() => hub.drain(0));
    for (let n = 0; n < 60; n++) {
      await submit(hub, { idempotencyKey: `before-${n}` });
      await clock.pass(10);
    }
    const pipelineId = await submit(hub, { idempotencyKey: "the one" });
    await submit(hub, { idempotencyKey: "after" });
    const all = await watchUntilCaughtUp(hub, "");
    const its = all.filter((one) => one.case === "record" && one.value.pipelineId === pipelineId);
    expect(its.length).toBeGreaterThan(0);
    store.rowsRead = 0;
    for (const after of [0n, 3n]) {
      const seen = await watchUntilCaughtUp(hub, `pipeline_id = "${pipelineId}"`, after);
      expect(seen.slice(0, -1)).toEqual(its);
      expect(seen.at(-1)).toEqual(all.at(-1));
    }
    expect(store.rowsRead).toBeLessThan(40);
  });
});

it("[TUR-04] whatever the clock was before, nothing of a pipeline lies before its beginning", async () => {
  const spans = fc.array(fc.record({ atMs: fc.nat(100), count: fc.integer({ min: 1, max: 3 }) }));
  await fc.assert(
    fc.asyncProperty(spans, spans, fc.nat(5), async (before, since, after) => {
      const createdAtMs = 50;
      // Agents reported events while the clock was ahead, and the hub restarted with the clock set back.
      const all = [...before, ...since.map((one) => ({ ...one, atMs: createdAtMs + one.atMs }))];
      const rows: EventRow[] = [];
      let end = 0n;
      for (const { atMs, count } of all) {
        const lastSequence = end + BigInt(count);
        rows.push({ tenantId: "t", firstSequence: end + 1n, lastSequence, atMs, events: new Uint8Array() });
        end = lastSequence;
      }
      const store = {
        events: async (_: string, sequence: bigint, limit: number) =>
          rows.filter(({ lastSequence }) => lastSequence > sequence).slice(0, limit),
        pipeline: async () => ({ tenantId: "t", createdAtMs }) as PipelineRow,
      };
      const sought = { tenantId: "t", pipelineId: "p", after: BigInt(after), end };
      const found = await findStart(store, sought);
      const made = rows[before.length - 1]?.lastSequence ?? 0n;
      expect(found).toBeGreaterThanOrEqual(BigInt(after));
      if (found > BigInt(after)) expect(found).toBeLessThanOrEqual(made);
    }),
  );
});
