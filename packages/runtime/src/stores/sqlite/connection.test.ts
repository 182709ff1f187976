import { expect, it, onTestFinished } from "vitest";
import { connectToWrite } from "./connection.ts";
import { storeFiles } from "./files.ts";
import { openForTest, scratchForTest } from "./testing/scratch.ts";

/** What a process that is killed cannot show: the system keeps what was written and not flushed. Only its power can fail. */
it("[OBS-02] the connection that writes flushes every commit, and keeps references and triggers", async () => {
  const directory = scratchForTest();
  await openForTest(directory);
  const db = connectToWrite(storeFiles(directory));
  onTestFinished(() => db.close());
  const setting = (name: string) => Object.values(db.prepare(`PRAGMA ${name}`).get() ?? {})[0];
  const full = 2;
  expect({
    journal: setting("journal_mode"),
    synchronous: setting("synchronous"),
    references: setting("foreign_keys"),
    recursiveTriggers: setting("recursive_triggers"),
    trustedSchema: setting("trusted_schema"),
  }).toEqual({ journal: "wal", synchronous: full, references: 1, recursiveTriggers: 1, trustedSchema: 0 });
});
