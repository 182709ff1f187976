import { statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openSqliteStore } from "./open.ts";
import { oneMore } from "./testing/one-more.ts";
import { startChild } from "./testing/processes.ts";
import { openForTest, scratchForTest } from "./testing/scratch.ts";

it("refuses a second process with the number of the first, until that is gone, however it ended", async () => {
  const directory = scratchForTest();
  const holder = startChild("hold", directory);
  await holder.lines.next();
  const refused = openSqliteStore({ directory });
  await expect(refused).rejects.toMatchObject({
    code: "BATON-STORE-001",
    message: expect.stringContaining(`process ${holder.process.pid}`),
    fix: expect.stringContaining(`pid ${holder.process.pid}`),
  });
  await holder.kill();
  const store = await openForTest(directory);
  await store.commit(oneMore(0));
  expect(await store.journal("p1")).toMatchObject({ version: 1 });
});

it("refuses a second store in the same process, and frees the first when it is closed", async () => {
  const directory = scratchForTest();
  const first = await openForTest(directory);
  await expect(openSqliteStore({ directory })).rejects.toMatchObject({ code: "BATON-STORE-001" });
  // The refused one has not taken the lock away.
  await expect(openSqliteStore({ directory })).rejects.toMatchObject({ code: "BATON-STORE-001" });
  await first.close();
  await openForTest(directory);
});

it("lets others read beside the one that writes, and only read", async () => {
  const directory = scratchForTest();
  const store = await openForTest(directory);
  const reader = await openForTest(directory, true);
  await store.commit(oneMore(0));
  expect(await reader.journal("p1")).toMatchObject({ version: 1 });
  await expect(reader.commit(oneMore(1))).rejects.toMatchObject({ code: "BATON-STORE-005" });
  await store.commit(oneMore(1));
  expect(await reader.journal("p1")).toMatchObject({ version: 2 });
});

it("does not make a store when it is opened to read", async () => {
  const directory = join(scratchForTest(), "nothing");
  await expect(openSqliteStore({ directory, readOnly: true })).rejects.toMatchObject({
    code: "BATON-STORE-006",
  });
  expect(statSync(directory, { throwIfNoEntry: false })).toBeUndefined();
});

it("makes the directory and its files for their owner alone", async () => {
  const directory = join(scratchForTest(), "a", "b");
  const store = await openForTest(directory);
  await store.commit(oneMore(0));
  const modeOf = (...names: string[]) => statSync(join(directory, ...names)).mode & 0o777;
  expect(modeOf()).toBe(0o700);
  for (const name of ["baton.db", "baton.db-wal", "baton.db-shm", "baton.lock", "baton.pid"]) {
    expect([name, modeOf(name)]).toEqual([name, 0o600]);
  }
});
