import { hash } from "node:crypto";
import { statSync, truncateSync } from "node:fs";
import { batch, content, pipelineRow, startMs, transition } from "@baton/conformance/store/rows.ts";
import { type AuditEntry, AuditEntrySchema, AuditEventType } from "@baton/contract";
import { chainEntries, emptyChain } from "@baton/kernel";
import { create, toBinary } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { AuditRow, Store } from "../../../ports/store.ts";
import { storeFiles } from "../files.ts";
import { checkSqlite } from "../maintenance/check.ts";
import { openSqliteStore } from "../open.ts";
import { flipBitIn } from "../testing/damage.ts";
import { scratchForTest } from "../testing/scratch.ts";

const many = 300;
const idOf = (place: number) => `pipeline-${String(place).padStart(3, "0")}`;
const [oldest, newest] = [idOf(0), idOf(many - 1)];

/** A chained entry for each pipeline, as a hub writes them. */
function auditRows(rationale = ""): AuditRow[] {
  const entries = Array.from({ length: many }, (_, place) =>
    create(AuditEntrySchema, {
      auditId: `${idOf(place)}/1`,
      tenantId: "acme",
      pipelineId: idOf(place),
      eventType: AuditEventType.PIPELINE_CREATED,
      timestamp: timestampFromMs(startMs),
      traceId: `entry of ${idOf(place)}`,
      rationale,
    }),
  );
  const digest = (bytes: Uint8Array) => new Uint8Array(hash("sha256", bytes, "buffer"));
  return chainEntries(emptyChain("acme"), entries, digest).entries.map(auditRow);
}

function auditRow(entry: AuditEntry): AuditRow {
  const { tenantId, sequence, auditId, pipelineId, entryHash = new Uint8Array() } = entry;
  const bytes = toBinary(AuditEntrySchema, entry);
  const eventType = "PIPELINE_CREATED";
  return { tenantId, sequence, auditId, pipelineId, eventType, atMs: startMs, hash: entryHash, entry: bytes };
}

/** A store of many ended pipelines, and of one that is open and old, closed as a hub closes it. */
async function makeStore(): Promise<string> {
  const directory = scratchForTest();
  const store = await openSqliteStore({ directory });
  const made = (id: string, ended: boolean) =>
    transition(id, 0, { row: pipelineRow(id, { ended }), contents: [content(`content of ${id}`)] });
  await store.commit(batch({ transitions: [made("waiting", false)] }));
  const ids = Array.from({ length: many }, (_, place) => idOf(place));
  await store.commit(batch({ transitions: ids.map((id) => made(id, true)), audit: auditRows() }));
  await store.close();
  return directory;
}

/** Opens a store as if it were too large to be looked at whole. */
async function openLarge(directory: string, onBackgroundCheck?: (problem?: Error) => void): Promise<Store> {
  const store = await openSqliteStore({
    directory,
    wholeCheckBytes: 0,
    ...(onBackgroundCheck && { onBackgroundCheck }),
  });
  onTestFinished(() => store.close());
  return store;
}

const damages: readonly (readonly [string, (directory: string, id: string) => void])[] = [
  ["a content", (directory, id) => flipBitIn(directory, `content of ${id}`)],
  ["an audit entry", (directory, id) => flipBitIn(directory, `entry of ${id}`)],
  ["an index", (directory, id) => flipBitIn(directory, id, "index")],
];

describe("[PIP-11] a store in which one bit is another", () => {
  it.each(damages)("is refused when it is small and it is in %s, old or new", async (_, damage) => {
    for (const id of [oldest, newest]) {
      const directory = await makeStore();
      damage(directory, id);
      await expect(openSqliteStore({ directory })).rejects.toMatchObject({
        code: "BATON-STORE-003",
        mayPass: false,
        message: expect.stringContaining(directory),
        fix: expect.stringContaining("last backup"),
      });
    }
  });

  it.each(damages)("is refused when it is large and it is in %s among the newest", async (_, damage) => {
    const directory = await makeStore();
    damage(directory, newest);
    await expect(openLarge(directory)).rejects.toMatchObject({ code: "BATON-STORE-003", mayPass: false });
  });

  it.each(damages)("is reported soon when it is large and it is in %s among the old", async (_, damage) => {
    const directory = await makeStore();
    damage(directory, oldest);
    const problem = await new Promise<Error | undefined>((resolve, reject) => {
      openLarge(directory, resolve).catch(reject);
    });
    expect(problem).toMatchObject({
      code: "BATON-STORE-003",
      message: expect.stringContaining(storeFiles(directory).database),
      fix: expect.stringContaining("last backup"),
    });
    expect(await checkSqlite(directory)).not.toEqual([]);
  });

  it("becomes a warning of the process by default", async () => {
    const directory = await makeStore();
    flipBitIn(directory, `content of ${oldest}`);
    const warned = new Promise<readonly unknown[]>((resolve) => {
      const spy = vi.spyOn(process, "emitWarning").mockImplementation((...args: unknown[]) => resolve(args));
      onTestFinished(() => spy.mockRestore());
    });
    await openLarge(directory);
    expect(await warned).toEqual([
      expect.stringContaining(storeFiles(directory).database),
      expect.objectContaining({ code: "BATON-STORE-003", detail: expect.stringContaining("last backup") }),
    ]);
  });

  it("does not let the hub begin with what it would go on with, however old that is", async () => {
    const directory = await makeStore();
    flipBitIn(directory, "content of waiting");
    const store = await openLarge(directory, () => {});
    const readOpen = async () => {
      for await (const _ of store.openJournals());
    };
    await expect(readOpen()).rejects.toMatchObject({
      code: "BATON-STORE-003",
      message: expect.stringContaining('the journal of pipeline "waiting"'),
    });
  });
});

it("[OBS-04] is refused when an audit entry does not carry the hash of the one before", async () => {
  const directory = scratchForTest();
  const store = await openSqliteStore({ directory });
  const [first] = auditRows("one story");
  const [, second] = auditRows("another story");
  if (!first || !second) throw new Error("there are many");
  await store.commit(batch({ audit: [first] }));
  await store.commit(batch({ audit: [second] }));
  await store.close();
  const refusal = {
    code: "BATON-STORE-003",
    message: expect.stringContaining("audit entry 2 in row 2 does not carry the hash"),
  };
  await expect(openSqliteStore({ directory })).rejects.toMatchObject(refusal);
  await expect(openLarge(directory)).rejects.toMatchObject(refusal);
});

it.each([1, 4096, 100_000])(
  "[PIP-11] is refused when its last %i bytes are missing, small or large",
  async (cut) => {
    const directory = await makeStore();
    const { database } = storeFiles(directory);
    truncateSync(database, statSync(database).size - cut);
    await expect(openLarge(directory)).rejects.toMatchObject({ code: "BATON-STORE-003" });
    await expect(openSqliteStore({ directory })).rejects.toMatchObject({ code: "BATON-STORE-003" });
  },
);

it("says of a large store that nothing is wrong, while it is written to", async () => {
  const directory = await makeStore();
  const looked = Promise.withResolvers<Error | undefined>();
  const store = await openLarge(directory, looked.resolve);
  await store.commit(batch({ transitions: [transition("waiting", 1)] }));
  expect(await looked.promise).toBeUndefined();
});

it("can be closed before it was looked at whole, and lets go of its files", async () => {
  const directory = await makeStore();
  const onBackgroundCheck = vi.fn();
  await (await openLarge(directory, onBackgroundCheck)).close();
  // The log is gone only when nobody else has the file open.
  expect(statSync(storeFiles(directory).log, { throwIfNoEntry: false })).toBeUndefined();
  expect(onBackgroundCheck).not.toHaveBeenCalled();
});
