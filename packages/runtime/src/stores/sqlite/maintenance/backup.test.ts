import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { oneMore } from "../testing/one-more.ts";
import { openForTest, scratchForTest } from "../testing/scratch.ts";
import { backupSqlite } from "./backup.ts";

/** A backup becomes a store when both of its files get the names that those of a store have. */
function restore(folder: string): void {
  renameSync(join(folder, "baton.db.key"), join(folder, "baton.key"));
}

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
  expect(readdirSync(join(folder, "copy"))).toEqual(["baton.db", "baton.db.key"]);
  expect(statSync(join(folder, "copy", "baton.db.key")).mode & 0o777).toBe(0o600);
  restore(join(folder, "copy"));

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
  const path = join(folder, "copy", "baton.db");
  expect(await backupSqlite(join(folder, "store"), path)).toBe(`${path}.key`);
  restore(join(folder, "copy"));
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
  writeFileSync(join(folder, "free.key"), "mine");
  await expect(store.backup(join(folder, "free"))).rejects.toMatchObject({
    code: "BATON-STORE-007",
    message: expect.stringContaining("free.key"),
  });
  await expect(store.backup(join(folder, "no", "such", "folder"))).rejects.toMatchObject({
    code: "BATON-STORE-007",
    mayPass: false,
  });
  expect(readdirSync(folder).toSorted()).toEqual(["free.key", "store", "taken"]);
});

it("says so when there is no store to copy", async () => {
  const folder = scratchForTest();
  const refused = backupSqlite(join(folder, "nothing"), join(folder, "copy"));
  await expect(refused).rejects.toMatchObject({ code: "BATON-STORE-006" });
});

it("is not written without the key that opens it", async () => {
  const folder = scratchForTest();
  const store = await openForTest(join(folder, "store"));
  await store.close();
  renameSync(join(folder, "store", "baton.key"), join(folder, "elsewhere"));
  const path = join(folder, "copy");
  await expect(backupSqlite(join(folder, "store"), path)).rejects.toMatchObject({ code: "BATON-STORE-010" });
  expect(readdirSync(folder).toSorted()).toEqual(["elsewhere", "store"]);
  expect(await backupSqlite(join(folder, "store"), path, join(folder, "elsewhere"))).toBe(`${path}.key`);
});
