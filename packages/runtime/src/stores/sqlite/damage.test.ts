import { readFileSync, truncateSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { batch, content, transition } from "@baton/conformance/store/rows.ts";
import { describe, expect, it } from "vitest";
import { storeFiles } from "./files.ts";
import { checkSqlite } from "./maintenance/check.ts";
import { openSqliteStore } from "./open.ts";
import { openForTest, scratchForTest } from "./testing/scratch.ts";

const secret = content(`find me ${"y".repeat(500)}`);

/** A store of some hundred pages, closed. */
async function makeStore(): Promise<string> {
  const directory = scratchForTest();
  const store = await openSqliteStore({ directory });
  const ids = Array.from({ length: 300 }, (_, index) => `p${index}`);
  await store.commit(
    batch({
      transitions: ids.map((id) =>
        transition(id, 0, { records: { text: id.repeat(300), count: 1 }, contents: [secret] }),
      ),
    }),
  );
  await store.close();
  return directory;
}

function change(path: string, edit: (bytes: Buffer) => void): void {
  const bytes = readFileSync(path);
  edit(bytes);
  writeFileSync(path, bytes);
}

function flip(bytes: Buffer, start: number, end: number): void {
  for (let index = start; index < end; index++) bytes[index] = ~(bytes[index] ?? 0) & 0xff;
}

/** Changes rows of the journal behind the back of its trigger. */
function changeRows(directory: string, work: (raw: DatabaseSync) => void): void {
  const raw = new DatabaseSync(storeFiles(directory).database);
  const trigger = raw.prepare("SELECT sql FROM sqlite_schema WHERE name = 'journal_stays'").get();
  raw.exec("DROP TRIGGER journal_stays");
  work(raw);
  raw.exec(String(trigger?.sql));
  raw.close();
}

describe("a file that cannot be used", () => {
  it("is refused when a newer Baton has written it, with the versions", async () => {
    const directory = await makeStore();
    const raw = new DatabaseSync(storeFiles(directory).database);
    raw.exec("PRAGMA user_version = 4711");
    raw.close();
    const refusal = {
      code: "BATON-STORE-002",
      mayPass: false,
      message: expect.stringContaining("version 4711"),
    };
    await expect(openSqliteStore({ directory })).rejects.toMatchObject(refusal);
    await expect(openSqliteStore({ directory, readOnly: true })).rejects.toMatchObject(refusal);
    await expect(checkSqlite(directory)).rejects.toMatchObject(refusal);
  });

  it("is refused and left alone when it is a database of something else", async () => {
    const directory = scratchForTest();
    const { database } = storeFiles(directory);
    const raw = new DatabaseSync(database);
    raw.exec("CREATE TABLE recipes (name TEXT); INSERT INTO recipes VALUES ('soup')");
    raw.close();
    const before = readFileSync(database);
    await expect(openSqliteStore({ directory })).rejects.toMatchObject({
      code: "BATON-STORE-003",
      message: expect.stringContaining("no store of Baton"),
    });
    expect(readFileSync(database)).toEqual(before);
  });

  it("is refused when it is no database", async () => {
    const directory = scratchForTest();
    writeFileSync(storeFiles(directory).database, "These are my notes. ".repeat(500));
    await expect(openSqliteStore({ directory })).rejects.toMatchObject({ code: "BATON-STORE-003" });
    expect(await checkSqlite(directory)).toHaveLength(1);
  });

  it("is refused when its end is missing", async () => {
    const directory = await makeStore();
    const { database } = storeFiles(directory);
    truncateSync(database, Math.floor(readFileSync(database).length / 2));
    await expect(openSqliteStore({ directory })).rejects.toMatchObject({ code: "BATON-STORE-003" });
    expect(await checkSqlite(directory)).not.toEqual([]);
  });

  it.each([
    ["a table is missing", "the table escalations is missing", "DROP TABLE escalations"],
    ["an index is missing", "the index audit_by_pipeline is missing", "DROP INDEX audit_by_pipeline"],
    ["[OBS-03] a trigger is missing", "the trigger audit_stays is missing", "DROP TRIGGER audit_stays"],
    [
      "a table is another one",
      "the table fleet is another one",
      "DROP TABLE fleet; CREATE TABLE fleet (n INTEGER PRIMARY KEY, recipe TEXT)",
    ],
    [
      "[OBS-03] somebody has added a trigger",
      "the trigger soup is not one of Baton",
      "CREATE TRIGGER soup AFTER INSERT ON audit BEGIN SELECT 1; END",
    ],
  ])("is refused when %s, and not taken for a failing disk", async (_, finding, sql) => {
    const directory = await makeStore();
    const { database } = storeFiles(directory);
    const raw = new DatabaseSync(database, { enableForeignKeyConstraints: false });
    raw.exec(sql);
    raw.close();
    await expect(openSqliteStore({ directory })).rejects.toMatchObject({
      code: "BATON-STORE-003",
      mayPass: false,
      message: `the file does not have the tables of a store of Baton: ${database}: ${finding}`,
      fix: expect.stringContaining("use another directory"),
    });
    expect(await checkSqlite(directory)).toContain(finding);
  });

  it("is refused by readers when it says that it is a store and has other tables", async () => {
    const directory = scratchForTest();
    const raw = new DatabaseSync(storeFiles(directory).database);
    raw.exec("CREATE TABLE recipes (name TEXT); PRAGMA application_id = 0x4261746e; PRAGMA user_version = 1");
    raw.close();
    const refusal = { code: "BATON-STORE-003", mayPass: false, message: expect.stringContaining("tables") };
    await expect(openSqliteStore({ directory, readOnly: true })).rejects.toMatchObject(refusal);
    await expect(openSqliteStore({ directory })).rejects.toMatchObject(refusal);
  });
});

describe("a damaged store", () => {
  it("is found by a check, and by reads of the damaged part", async () => {
    const directory = await makeStore();
    change(storeFiles(directory).database, (bytes) => {
      const middle = Math.floor(bytes.length / 8192) * 4096;
      flip(bytes, middle, middle + 4096 * 8);
    });
    expect(await checkSqlite(directory)).not.toEqual([]);
    const store = await openForTest(directory, true);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 300 }, (_, index) => store.journal(`p${index}`)),
    );
    const failed = outcomes.filter((outcome) => outcome.status === "rejected");
    expect(failed.length).toBeGreaterThan(0);
    for (const { reason } of failed)
      expect(reason).toMatchObject({ code: "BATON-STORE-003", mayPass: false });
    // What is not damaged can still be read.
    expect(failed.length).toBeLessThan(300);
  });

  it("is found when a content does not match its digest, encrypted or not", async () => {
    const directory = await makeStore();
    changeRows(directory, (raw) => {
      const update = raw.prepare("UPDATE journal SET sealed = ?, sum = NULL WHERE n = ?");
      for (const { n, sealed } of raw.prepare("SELECT n, sealed FROM journal WHERE n > 1").all()) {
        const bytes = Buffer.from(sealed as Uint8Array);
        flip(bytes, bytes.length - 1, bytes.length);
        update.run(bytes, Number(n));
      }
      raw.exec("UPDATE journal SET sealed = NULL, sum = NULL, contents = zeroblob(508) WHERE n = 1");
    });
    const faults = await checkSqlite(directory);
    expect(faults).toHaveLength(100);
    for (const n of [1, 2])
      expect(faults).toContain(`a content of journal row ${n} is not what its digest says`);
  });

  it.each([
    [
      "a journal is shorter than its row says",
      "as many records",
      "UPDATE pipelines SET version = 2 WHERE n = 7",
    ],
    [
      "a journal has a gap",
      'the journal of pipeline "p6" has a gap',
      "DROP TRIGGER journal_stays; UPDATE journal SET version = 2, last_version = 2 WHERE n = 7",
    ],
    [
      "an audit record has a gap",
      'the audit record of tenant "acme" has a gap',
      "DROP TRIGGER audit_grows; INSERT INTO audit VALUES (1, 1, 2, 2, NULL, 0, 0, 0, 0, '[]', x'')",
    ],
    [
      "a row of audit entries is not about its entries",
      "audit row 1 does not have the entries that it says it has",
      `INSERT INTO audit VALUES (1, 1, 1, 1, NULL, 0, 0, 0, 0, '["a/1","ROUTED",0,32,9]', x'00')`,
    ],
    [
      "events have a gap",
      'the events of tenant "acme" have a gap',
      "DROP TRIGGER events_grow; INSERT INTO events VALUES (1, 1, 1, 1, 0, x''), (2, 1, 3, 3, 0, x'')",
    ],
    [
      "a command has no pipeline",
      "command 1 belongs to no pipeline",
      "INSERT INTO outbox VALUES (1, 4711, '', NULL)",
    ],
    [
      "a timer has no pipeline",
      "a timer belongs to no pipeline: its row names 4711",
      "INSERT INTO timers VALUES (4711, 't', 0)",
    ],
    ["a row refers to nothing", "refers to a row of tenants", "INSERT INTO fleet VALUES (1, 4711, '', NULL)"],
    ["the clock is behind", "newer than the newest instant", "UPDATE clock SET newest_ms = 1"],
  ])("is found when %s", async (_, finding, sql) => {
    const directory = await makeStore();
    const raw = new DatabaseSync(storeFiles(directory).database, { enableForeignKeyConstraints: false });
    raw.exec(sql);
    raw.close();
    expect(await checkSqlite(directory)).toContainEqual(expect.stringContaining(finding));
  });
});

describe("a text of a journal that reads well and is another", () => {
  /** One letter of one text, as a disk would: nothing else of the file is wrong. */
  async function damaged(): Promise<string> {
    const directory = await makeStore();
    changeRows(directory, (raw) => {
      const row = raw.prepare("SELECT sealed FROM journal WHERE n = 7").get();
      const bytes = Buffer.from(row?.sealed as Uint8Array);
      bytes[20] = (bytes[20] ?? 0) ^ 1;
      raw.prepare("UPDATE journal SET sealed = ? WHERE n = 7").run(bytes);
    });
    return directory;
  }

  it("[PIP-11] is found by a check, and is not gone on from", async () => {
    const directory = await damaged();
    const finding = "what journal row 7 holds is not what its sum says";
    expect(await checkSqlite(directory)).toEqual([finding]);
    const store = await openSqliteStore({ directory, readOnly: true });
    const reason = { code: "BATON-STORE-003", message: expect.stringContaining("sum") };
    await expect(store.journal("p6")).rejects.toMatchObject(reason);
    expect((await store.journal("p7"))?.version).toBe(1);
    await store.close();
    await expect(openSqliteStore({ directory })).rejects.toMatchObject({ code: "BATON-STORE-003" });
  });

  it("[PIP-11] is not detected in a row without a checksum", async () => {
    const directory = await damaged();
    changeRows(directory, (raw) => raw.exec("UPDATE journal SET sum = NULL"));
    expect(await checkSqlite(directory)).toEqual([]);
  });
});

describe("a directory that cannot be made", () => {
  it.skipIf(process.platform !== "linux").each(["/proc/nowhere", "/proc/nowhere/deeper", "/dev/null/store"])(
    "is reported, and not retried for ever: %s",
    async (directory) => {
      await expect(openSqliteStore({ directory })).rejects.toMatchObject({
        code: "BATON-STORE-006",
        message: expect.stringContaining(directory),
      });
    },
  );
});
