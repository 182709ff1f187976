import { renameSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import type { Worker } from "node:worker_threads";
import { batch, content, transition } from "@baton/conformance/store/rows.ts";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Store } from "../../../ports/store.ts";
import { pruneLimits } from "../../limits.ts";
import { sizeOf, storeFiles } from "../files.ts";
import { openSqliteStore } from "../open.ts";
import { oneMore } from "../testing/one-more.ts";
import { scratchForTest } from "../testing/scratch.ts";

/** A store that writes at once what comes alone, and the thread that writes the rest. */
async function open(
  directory = scratchForTest(),
): Promise<{ store: Store; thread: Worker; directory: string }> {
  const started = new Promise<Worker>((resolve) => process.once("worker", resolve));
  const store = await openSqliteStore({ directory, inlineAfter: 0 });
  onTestFinished(() => store.close());
  return { store, thread: await started, directory };
}

/** One more record of two pipelines: what comes together goes to the thread. */
function bothMore(version: number) {
  const more = (pipelineId: string) =>
    transition(pipelineId, version, {
      records: { text: `record ${version + 1}`, count: 1 },
      contents: [content("the same"), content(`content ${version + 1}`)],
    });
  return batch({ transitions: [more("p1"), more("p2")] });
}

function oneMoreOf(pipelineId: string, version: number) {
  const contents = [content("the same"), content(`content ${version + 1}`)];
  return batch({
    transitions: [transition(pipelineId, version, { records: { text: "r", count: 1 }, contents })],
  });
}

describe("a store whose batches come one by one", () => {
  it("[PIP-11] needs no other thread for them", async () => {
    const { store, thread } = await open();
    await thread.terminate();
    let others = 0;
    const count = () => others++;
    process.on("worker", count);
    onTestFinished(() => void process.off("worker", count));
    await store.commit(oneMore(0));
    await store.commit(oneMore(1));
    expect(await store.journal("p1")).toMatchObject({ version: 2 });
    expect(others).toBe(0);
  });

  it("[PIP-11] has them durable and shown when it answers, as those of its thread, however they take turns", async () => {
    const { store, directory } = await open();
    for (let version = 0; version < 12; version += 3) {
      await store.commit(bothMore(version));
      await store.commit(oneMoreOf("p1", version + 1));
      await store.commit(oneMoreOf("p2", version + 1));
      await store.commit(oneMoreOf("p1", version + 2));
      await store.commit(oneMoreOf("p2", version + 2));
      expect(await store.journal("p2")).toMatchObject({ version: version + 3 });
    }
    // A content is kept once, whichever thread had it first.
    const journal = await store.journal("p1");
    expect(journal?.version).toBe(12);
    expect(journal?.contents.size).toBe(13);
    expect(await store.check()).toEqual([]);
    await store.close();
    const { store: again } = await open(directory);
    expect(await again.journal("p1")).toMatchObject({ version: 12 });
  });

  it("[PIP-11] refuses one of a version that the other thread has moved on from, and goes on", async () => {
    const { store } = await open();
    await store.commit(oneMoreOf("p1", 0));
    await store.commit(oneMoreOf("p2", 0));
    await store.commit(bothMore(1));
    await expect(store.commit(oneMoreOf("p1", 1))).rejects.toMatchObject({ actualVersion: 2 });
    await store.commit(oneMoreOf("p1", 2));
    await expect(store.commit(bothMore(2))).rejects.toMatchObject({ pipelineId: "p1", actualVersion: 3 });
    await store.commit(oneMoreOf("p2", 2));
    await store.commit(bothMore(3));
    expect(await store.journal("p1")).toMatchObject({ version: 4 });
  });

  it("[PIP-11] has its thread write where no second connection can be opened", async () => {
    const { store, directory } = await open();
    await store.commit(bothMore(0));
    // It could not encrypt: the key is read at opening.
    const { key } = storeFiles(directory);
    renameSync(key, `${key}.away`);
    await store.commit(oneMoreOf("p1", 1));
    await store.commit(oneMoreOf("p1", 2));
    renameSync(`${key}.away`, key);
    expect(await store.journal("p1")).toMatchObject({ version: 3 });
  });

  it("[TUR-02] comes to the end of what is old while pipelines move one by one", async () => {
    const { store } = await open();
    const count = 3 * pruneLimits.measured;
    const events = Array.from({ length: count }, (_, place) => {
      const sequence = BigInt(place + 1);
      return {
        tenantId: "acme",
        firstSequence: sequence,
        lastSequence: sequence,
        atMs: 1,
        events: Buffer.from("e"),
      };
    });
    await store.commit(batch({ events }));
    const old = { fromMs: 1_000, bytes: 2 ** 30 };
    let version = 0;
    let steps = 0;
    for (let more = true; more && steps < count; steps++) {
      // One comes while rows are removed, and goes to the thread; the next one does not.
      const removing = store.prune({ events: old, turns: old });
      await store.commit(oneMoreOf("p1", version++));
      more = await removing;
      await store.commit(oneMoreOf("p1", version++));
    }
    expect(steps).toBeLessThan(count / 10);
    expect(await store.events("acme", 0n, 10)).toHaveLength(1);
  });

  it("[PIP-11] moves its log while batches come one by one, and goes on writing meanwhile", async () => {
    const { store, directory } = await open();
    // 150 MB in batches that are small enough to be written at once.
    const most = 2_500;
    let longest = 0;
    for (let version = 0; version < most; version++) {
      await store.commit(oneMore(version, 60_000));
      // Others checkpoint the log, and have to be notified.
      await new Promise((resolve) => setImmediate(resolve));
      longest = Math.max(longest, sizeOf(storeFiles(directory).log));
    }
    expect(longest).toBeLessThan(64 * 1024 * 1024);
    expect(await store.journal("p1")).toMatchObject({ version: most });
  });

  it("[PIP-11] does not hold up its thread while somebody else writes, and stores it when they are through", async () => {
    const { store, directory } = await open();
    await store.commit(oneMore(0));
    const other = new DatabaseSync(storeFiles(directory).database);
    onTestFinished(() => other.close());
    other.exec("BEGIN IMMEDIATE");
    const committed = store.commit(oneMore(1));
    // This could not come if the thread that asks waited for the lock.
    await new Promise((resolve) => setTimeout(resolve, 20));
    other.exec("ROLLBACK");
    await committed;
    await store.commit(oneMore(2));
    expect(await store.journal("p1")).toMatchObject({ version: 3 });
  });
});
