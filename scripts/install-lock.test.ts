import { existsSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { takeLock } from "./install-lock.mjs";
import { makeFolder } from "./testing/repository.ts";

const emitter: NodeJS.EventEmitter = process;
const events = ["SIGINT", "SIGTERM", "SIGHUP", "exit"];

test("the lock is held until it is released", async () => {
  const root = makeFolder();
  const path = join(root, ".cache/install.lock");
  const release = await takeLock(root);
  expect(readFileSync(path, "utf8")).toBe(String(process.pid));
  release();
  expect(existsSync(path)).toBe(false);
});

test("releasing it takes away its own listeners and nobody else's", async () => {
  const ours = () => {};
  for (const event of events) emitter.on(event, ours);
  onTestFinished(() => {
    for (const event of events) emitter.off(event, ours);
  });
  const before = events.map((event) => emitter.listeners(event));

  const release = await takeLock(makeFolder());
  expect(events.map((event) => emitter.listenerCount(event))).toEqual(before.map(({ length }) => length + 1));
  release();
  expect(events.map((event) => emitter.listeners(event))).toEqual(before);
});

test("a second one waits for the first", async () => {
  const told = vi.spyOn(process.stderr, "write").mockImplementation(() => true);
  onTestFinished(() => told.mockRestore());
  const root = makeFolder();
  const order: string[] = [];
  const releaseFirst = await takeLock(root);
  const second = takeLock(root).then((release) => {
    order.push("the second took it");
    return release;
  });
  await vi.waitFor(() => expect(told).toHaveBeenCalled(), { timeout: Number.POSITIVE_INFINITY });
  order.push("the first released it");
  releaseFirst();
  (await second)();
  expect(order).toEqual(["the first released it", "the second took it"]);
});

test("a lock that was left behind stops no one", async () => {
  const root = makeFolder();
  const path = join(root, ".cache/install.lock");
  (await takeLock(root))();
  const longAgo = new Date(Date.now() - 60 * 60_000);
  writeFileSync(path, String(process.pid));
  utimesSync(path, longAgo, longAgo);
  (await takeLock(root))();
  expect(existsSync(path)).toBe(false);
});
