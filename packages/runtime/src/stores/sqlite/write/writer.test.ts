import { once } from "node:events";
import type { Worker } from "node:worker_threads";
import { expect, it } from "vitest";
import { oneMore } from "../testing/one-more.ts";
import { startChild } from "../testing/processes.ts";
import { openForTest, scratchForTest } from "../testing/scratch.ts";

/** A store, and the thread that writes for it. */
async function openWithThread(directory: string) {
  const started = new Promise<Worker>((resolve) => process.once("worker", resolve));
  const store = await openForTest(directory);
  return { store, thread: await started };
}

it("[PIP-11] fails the batches in flight when its thread ends, stores no partial batch, and starts a new thread", async () => {
  const { store, thread } = await openWithThread(scratchForTest());
  await store.commit(oneMore(0));
  const ended = thread.terminate();
  const outcome = await store.commit(oneMore(1)).catch((reason: unknown) => reason);
  expect(outcome).toMatchObject({
    code: "BATON-STORE-006",
    mayPass: true,
    message: expect.stringContaining("has stopped"),
  });
  await ended;
  const version = (await store.journal("p1"))?.version ?? 0;
  await store.commit(oneMore(version));
  expect(await store.journal("p1")).toMatchObject({ version: version + 1 });
  expect(await store.check()).toEqual([]);
});

it("[PIP-11] fails every batch in flight when its thread ends", async () => {
  const { store, thread } = await openWithThread(scratchForTest());
  await store.commit(oneMore(0));
  const ended = thread.terminate();
  const outcomes = await Promise.allSettled([1, 2, 3].map((version) => store.commit(oneMore(version))));
  await ended;
  const version = (await store.journal("p1"))?.version ?? 0;
  const stored = outcomes.findIndex(({ status }) => status === "rejected");
  // Every acknowledged batch is stored; after the first one that is not, none is.
  expect(stored).toBeGreaterThanOrEqual(0);
  expect(version).toBeGreaterThanOrEqual(1 + stored);
  for (const outcome of outcomes.slice(stored))
    expect(outcome).toMatchObject({ status: "rejected", reason: { code: "BATON-STORE-006" } });
  await store.commit(oneMore(version));
  expect(await store.journal("p1")).toMatchObject({ version: version + 1 });
});

it("goes on after something that cannot be handed to its thread at all", async () => {
  const { store } = await openWithThread(scratchForTest());
  const row = { tenantId: "acme", sequence: 1n, publicKey: new Uint8Array(32), peaks: new Uint8Array() };
  const odd = { ...row, checkpoint: new Uint8Array(), more: () => 1 };
  await expect(store.keepCheckpoint(odd, [])).rejects.toThrow(/clone/);
  await store.commit(oneMore(0));
  await store.commit(oneMore(1));
  expect(await store.journal("p1")).toMatchObject({ version: 2 });
});

it("starts a new thread when one has ended while nothing was to be written", async () => {
  const { store, thread } = await openWithThread(scratchForTest());
  await thread.terminate();
  await store.commit(oneMore(0));
  expect(await store.journal("p1")).toMatchObject({ version: 1 });
});

it("reports why its thread has ended", async () => {
  const { store, thread } = await openWithThread(scratchForTest());
  await store.commit(oneMore(0));
  // An order that no hub gives: the thread has no answer to it.
  thread.postMessage(undefined);
  await expect(store.commit(oneMore(1))).rejects.toMatchObject({
    code: "BATON-STORE-006",
    message: expect.stringMatching(/undefined/),
    cause: expect.any(Error),
  });
});

it("keeps the process while somebody waits for a batch, and not longer", async () => {
  const directory = scratchForTest();
  const leaving = startChild("leave", directory);
  const exited = once(leaving.process, "exit");
  expect((await leaving.lines.next()).value).toBe("3");
  expect(await exited).toEqual([0, null]);
  const store = await openForTest(directory);
  expect(await store.journal("p1")).toMatchObject({ version: 3 });
});
