import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { makeFolder, write } from "../testing/repository.ts";
import { takeLock } from "./install-lock.mjs";

/** Only ends what hangs; `vi.waitFor` takes no endless wait. */
const hangsMs = 10 * 60_000;
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
  const printed = vi.spyOn(process.stderr, "write").mockImplementation(() => true);
  onTestFinished(() => printed.mockRestore());
  const root = makeFolder();
  const order: string[] = [];
  const releaseFirst = await takeLock(root);
  const second = takeLock(root).then((release) => {
    order.push("the second took it");
    return release;
  });
  await vi.waitFor(() => expect(printed).toHaveBeenCalled(), { timeout: hangsMs });
  order.push("the first released it");
  releaseFirst();
  (await second)();
  expect(order).toEqual(["the first released it", "the second took it"]);
});

test("a lock whose owner has ended stops no one", async () => {
  const root = makeFolder();
  const { pid } = spawnSync(process.execPath, ["--version"]);
  write(root, { ".cache/install.lock": String(pid) });
  (await takeLock(root))();
  expect(existsSync(join(root, ".cache/install.lock"))).toBe(false);
});

test("a lock that nobody keeps alive stops no one for long, though its number is a living program's", async () => {
  const printed = vi.spyOn(process.stderr, "write").mockImplementation(() => true);
  const root = makeFolder();
  write(root, { ".cache/install.lock": String(process.pid) });
  (await takeLock(root, { beatMs: 1_000, staleMs: 500 }))();
  expect(printed).toHaveBeenCalledTimes(1);
  expect(existsSync(join(root, ".cache/install.lock"))).toBe(false);
});

test("a lock that is kept alive is kept, however long it takes and however old it looks", async () => {
  vi.spyOn(process.stderr, "write").mockImplementation(() => true);
  const root = makeFolder();
  const path = join(root, ".cache/install.lock");
  const release = await takeLock(root, { beatMs: 20, staleMs: 0 });
  const longAgo = new Date(Date.now() - 60 * 60_000);
  utimesSync(path, longAgo, longAgo);
  let isTaken = false;
  const second = takeLock(root, { beatMs: 20, staleMs: 60_000 }).then((releaseSecond) => {
    isTaken = true;
    return releaseSecond;
  });
  await vi.waitFor(() => expect(statSync(path).mtimeMs).toBeGreaterThan(longAgo.getTime()), {
    timeout: hangsMs,
  });
  expect(isTaken).toBe(false);
  release();
  (await second)();
});
