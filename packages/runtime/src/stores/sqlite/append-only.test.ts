import { DatabaseSync } from "node:sqlite";
import {
  auditRow,
  batch,
  content,
  eventRow,
  knowledgeRow,
  startMs,
  transition,
  turnRow,
} from "@baton/conformance/store/rows.ts";
import { describe, expect, it, onTestFinished } from "vitest";
import { storeFiles } from "./files.ts";
import { openForTest, scratchForTest } from "./testing/scratch.ts";

/** Someone who opens the file without Baton, with whatever settings SQLite has by itself. */
function openRaw(directory: string): DatabaseSync {
  const db = new DatabaseSync(storeFiles(directory).database, { enableForeignKeyConstraints: false });
  onTestFinished(() => db.close());
  return db;
}

async function openFilled() {
  const directory = scratchForTest();
  const store = await openForTest(directory);
  await store.commit(
    batch({
      transitions: [transition("p1", 0, { contents: [content("a")] })],
      fleet: [{ tenantId: "acme", text: "registered" }],
      knowledge: [knowledgeRow("a"), knowledgeRow("b")],
      audit: [auditRow("acme", 1n), auditRow("acme", 2n)],
      events: [eventRow("acme", 1n, 1n), eventRow("acme", 2n, 2n)],
    }),
  );
  return { store, raw: openRaw(directory) };
}

const tables = ["journal", "audit", "fleet", "knowledge"];

describe("[OBS-03] [SAP-05] rows that stay as they are", () => {
  it.each([...tables, "events"])("refuses UPDATE of %s", async (table) => {
    const { raw } = await openFilled();
    expect(() => raw.exec(`UPDATE ${table} SET n = n + 100`)).toThrow("is never changed");
    expect(() => raw.exec(`UPDATE OR REPLACE ${table} SET n = 1`)).toThrow("is never changed");
  });

  it.each(tables)("refuses DELETE from %s", async (table) => {
    const { raw } = await openFilled();
    expect(() => raw.exec(`DELETE FROM ${table}`)).toThrow("is never removed");
  });

  it("refuses DELETE of the last events of a tenant, which the next ones go on from", async () => {
    const { raw, store } = await openFilled();
    expect(() => raw.exec("DELETE FROM events")).toThrow("never removed");
    raw.exec("DELETE FROM events WHERE last_sequence < 2");
    await store.commit(batch({ events: [eventRow("acme", 3n, 3n)] }));
    expect(await store.events("acme", 0n, 10)).toEqual([eventRow("acme", 2n, 2n), eventRow("acme", 3n, 3n)]);
    expect(await store.check()).toEqual([]);
  });

  it.each([...tables, "events"])("refuses INSERT OR REPLACE into %s by its number", async (table) => {
    const { raw } = await openFilled();
    expect(() => raw.exec(`INSERT OR REPLACE INTO ${table} SELECT * FROM ${table} WHERE n = 1`)).toThrow(
      /grow/,
    );
  });

  it.each([
    [
      "journal",
      `INSERT OR REPLACE INTO journal (pipeline, version, last_version, directory, text, contents)
        VALUES (1, 1, 1, '', 'forged', x'')`,
    ],
    [
      "audit",
      `INSERT OR REPLACE INTO audit (tenant, first_sequence, last_sequence, oldest_ms, newest_ms, kinds, has_own_ids,
        directory, entries) VALUES (1, 1, 1, 0, 0, 0, 0, '[]', x'00')`,
    ],
    [
      "events",
      "INSERT OR REPLACE INTO events (tenant, first_sequence, last_sequence, at_ms, events) VALUES (1, 1, 1, 0, x'00')",
    ],
  ])("refuses INSERT OR REPLACE into %s by its key", async (_, sql) => {
    const { raw } = await openFilled();
    expect(() => raw.exec(sql)).toThrow(/grow/);
  });

  it("refuses to take away the pipelines and tenants that other rows are about", async () => {
    const { raw } = await openFilled();
    expect(() => raw.exec("DELETE FROM pipelines")).toThrow("is never removed");
    expect(() => raw.exec("DELETE FROM tenants")).toThrow("is never removed");
  });

  it("refuses to change, remove and replace what vouches for the record", async () => {
    const { store, raw } = await openFilled();
    const bytes = new Uint8Array(32);
    const row = { tenantId: "acme", sequence: 2n, checkpoint: bytes, publicKey: bytes, peaks: bytes };
    await store.keepCheckpoint(row, [{ level: 10, index: 0n, hash: bytes }]);
    for (const table of ["checkpoints", "tree_nodes"]) {
      expect(() => raw.exec(`UPDATE ${table} SET tenant = tenant`)).toThrow("is never changed");
      expect(() => raw.exec(`DELETE FROM ${table}`)).toThrow("is never removed");
      expect(() => raw.exec(`INSERT OR REPLACE INTO ${table} SELECT * FROM ${table}`)).toThrow(
        /in their order|there already/,
      );
    }
  });
});

describe("[TUR-02] turns of agents, read with SQLite", () => {
  async function openWithTurns() {
    const directory = scratchForTest();
    const store = await openForTest(directory);
    const tasks = [
      { stageId: "implement", state: "COMPLETED", headHash: "c0ffee" },
      { stageId: "review", state: "DISPATCHED", headHash: undefined },
    ];
    await store.commit(
      batch({ transitions: [transition("p1", 0, { tasks })], turns: [turnRow("p1", 1), turnRow("p1", 0)] }),
    );
    return { store, raw: openRaw(directory) };
  }

  it("are in the columns of SAOP", async () => {
    const { raw } = await openWithTurns();
    const turns = raw.prepare(
      "SELECT turn_index, envelope_json, event_id FROM agent_logs ORDER BY turn_index",
    );
    expect(turns.all().map((row) => ({ ...row }))).toEqual(
      [0, 1].map((index) => ({
        turn_index: index,
        envelope_json: turnRow("p1", index).envelope,
        event_id: turnRow("p1", index).eventId,
      })),
    );
    const tasks = raw.prepare("SELECT id, state, head_hash, updated_ms FROM tasks ORDER BY id");
    expect(tasks.all().map((row) => Object.values(row))).toEqual([
      ["p1", "RUNNING", "c0ffee", startMs],
      ["p1/implement", "COMPLETED", "c0ffee", startMs],
      ["p1/review", "DISPATCHED", null, startMs],
    ]);
  });

  it("cannot be changed or replaced", async () => {
    const { store, raw } = await openWithTurns();
    expect(() => raw.exec("UPDATE agent_logs SET envelope_json = 'forged'")).toThrow("is never changed");
    raw.exec(
      `INSERT OR REPLACE INTO agent_logs (n, tenant, pipeline, dispatch_id, turn_index, envelope_json, event_id, pack_id, at_ms)
        SELECT n, tenant, pipeline, dispatch_id, turn_index, envelope_json, event_id, pack_id, at_ms FROM agent_logs WHERE n = 1`,
    );
    raw.exec(
      `INSERT OR REPLACE INTO agent_logs (tenant, pipeline, dispatch_id, turn_index, envelope_json, event_id, pack_id, at_ms)
        VALUES (1, 1, 'p1/implement/1', 0, 'forged', '', '', 0)`,
    );
    expect(await store.turns("p1/implement/1", -1, 10)).toEqual([turnRow("p1", 0), turnRow("p1", 1)]);
    expect(await store.check()).toEqual([]);
  });
});
