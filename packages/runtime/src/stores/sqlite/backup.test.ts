import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { backupSqlite } from "./backup.ts";
import { openForTest, scratchForTest } from "./testing/scratch.ts";
import { oneMore } from "./testing/work.ts";

it("copies a store while it is written to: a clean store with what was committed up to an instant", async () => {
  const folder = scratchForTest();
  const store = await openForTest(join(folder, "store"));
  let version = 0;
  const commitOne = async () => store.commit(oneMore(version++, 20_000));
  while (version < 20) await commitOne();
  mkdirSync(join(folder, "copy"));
  let isDone = false;
  const done = store.backup(join(folder, "copy", "baton.db")).finally(() => {
    isDone = true;
  });
  while (!isDone) {
    await commitOne();
    await new Promise((resolve) => setImmediate(resolve));
  }
  await done;
  expect(readdirSync(join(folder, "copy"))).toEqual(["baton.db"]);

  const copy = await openForTest(join(folder, "copy"));
  expect(await copy.check()).toEqual([]);
  const copied = await copy.journal("p1");
  const whole = await store.journal("p1");
  expect(copied?.version).toBeGreaterThanOrEqual(20);
  expect(copied?.texts).toEqual(whole?.texts.slice(0, copied?.version));
  // The copy is a store like any other.
  await copy.commit(oneMore(copied?.version ?? 0));
});

it("copies a store that nobody has open", async () => {
  const folder = scratchForTest();
  const store = await openForTest(join(folder, "store"));
  await store.commit(oneMore(0));
  await store.close();
  mkdirSync(join(folder, "copy"));
  await backupSqlite(join(folder, "store"), join(folder, "copy", "baton.db"));
  const copy = await openForTest(join(folder, "copy"));
  expect(await copy.journal("p1")).toMatchObject({ version: 1 });
});

it("does not write over anything, and leaves nothing behind when it cannot write", async () => {
  const folder = scratchForTest();
  const store = await openForTest(join(folder, "store"));
  const taken = join(folder, "taken");
  writeFileSync(taken, "mine");
  await expect(store.backup(taken)).rejects.toMatchObject({ code: "BATON-STORE-007" });
  expect(readFileSync(taken, "utf8")).toBe("mine");
  await expect(store.backup(join(folder, "no", "such", "folder"))).rejects.toMatchObject({
    code: "BATON-STORE-007",
    mayPass: false,
  });
  expect(readdirSync(folder).toSorted()).toEqual(["store", "taken"]);
});

it("says so when there is no store to copy", async () => {
  const folder = scratchForTest();
  const refused = backupSqlite(join(folder, "nothing"), join(folder, "copy"));
  await expect(refused).rejects.toMatchObject({ code: "BATON-STORE-006" });
});
