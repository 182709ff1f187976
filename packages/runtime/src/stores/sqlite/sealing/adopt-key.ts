import type { DatabaseSync } from "node:sqlite";
import { timeoutTimer } from "@baton/kernel/stored";
import { heldUnknown } from "../../../ports/store.ts";
import { StoreUnavailable } from "../../../ports/store-error.ts";
import { bytes, integer, text } from "../columns.ts";
import { damage } from "../errors.ts";
import type { StoreFiles } from "../files.ts";
import { versionOf } from "../migrate.ts";
import { BatchSealer } from "./batch-sealer.ts";
import { readKey, readOrMakeKey } from "./key-file.ts";
import { KnownIds } from "./known-ids.ts";
import { Seal } from "./seal.ts";

export const versionWithSeals = 6;
/** The first version that kept what is held back. */
const versionWithHeldBack = 5;

/** What a store holds to tell a key that is its own from another one. */
const proven = "this store is sealed with this key";

/** Whether rows of the store are sealed. One of an earlier version has none that is. */
export function isSealed(db: DatabaseSync): boolean {
  return versionOf(db) >= versionWithSeals && db.prepare("SELECT 1 FROM sealing").get() !== undefined;
}

/** What opens the rows of a store that is sealed. Throws `StoreUnavailable` without its key. */
export function sealOf(db: DatabaseSync, files: StoreFiles): Seal {
  const row = db.prepare("SELECT key_id, proof FROM sealing").get();
  if (row === undefined) throw damage(files.database, "it does not say which key it is sealed with");
  const seal = new Seal(readKey(files.key));
  const isNamed = text(row.key_id) === seal.keyId;
  const isProven = seal.open(bytes(row.proof)).toString() === proven;
  if (isNamed && isProven) return seal;
  if (isNamed || isProven) throw damage(files.database, "what it says of its key is not what was written");
  throw new StoreUnavailable(
    "BATON-STORE-011",
    `the key ${files.key} is another one than that of the store ${files.directory}: it has the id ${seal.keyId}, and ${text(row.key_id)} is wanted`,
    { fix: "name the file of the store's own key with --store-key, or put it there", mayPass: false },
  );
}

/**
 * Chooses the key of a store that has none yet. The key is durable before anything is sealed with it; what will be found by a
 * sealed id, and what goes away again anyway, is sealed with it at once. `before` is the version that the store had.
 */
export function adoptKey(db: DatabaseSync, files: StoreFiles, before: number): void {
  if (isSealed(db)) return;
  const seal = new Seal(readOrMakeKey(files.key));
  const sealOne = oneByOne(seal);
  // What is removed is overwritten, and not only no longer found.
  db.exec("PRAGMA secure_delete = ON; BEGIN IMMEDIATE");
  try {
    const insert = "INSERT INTO sealing (one, key_id, proof) VALUES (1, ?, ?)";
    db.prepare(insert).run(seal.keyId, sealOne(proven));
    // From a version that is not known, because a start ended half way, it may have come from any.
    if (before !== versionWithHeldBack) noteUnknown(db);
    sealIds(db, new KnownIds(seal));
    for (const [table, key] of [
      ["outbox", "id"],
      ["held_back", "dispatch_id"],
    ]) {
      const update = db.prepare(`UPDATE ${table} SET text = '', sealed = ? WHERE ${key} = ?`);
      for (const row of db.prepare(`SELECT ${key} AS key, text FROM ${table}`).all())
        update.run(sealOne(text(row.text)), row.key ?? null);
    }
    db.exec("COMMIT");
  } catch (error) {
    if (db.isTransaction) db.exec("ROLLBACK");
    throw error;
  } finally {
    db.exec("PRAGMA secure_delete = OFF");
  }
}

/** Whoever is at work may be in the middle of a word, and what was heard of it was not kept. */
function noteUnknown(db: DatabaseSync): void {
  db.prepare(
    `INSERT INTO held_back (dispatch_id, tenant, pipeline, text)
      SELECT substr(i.timer_id, length(?1) + 1), p.tenant, p.n, ?2
      FROM timers i JOIN pipelines p ON p.n = i.pipeline WHERE substr(i.timer_id, 1, length(?1)) = ?1
      ON CONFLICT (dispatch_id) DO NOTHING`,
  ).run(timeoutTimer(""), heldUnknown);
}

function sealIds(db: DatabaseSync, ids: KnownIds): void {
  const timers = db
    .prepare(
      "SELECT i.pipeline, p.pipeline_id, i.timer_id FROM timers i JOIN pipelines p ON p.n = i.pipeline",
    )
    .all();
  const setTimer = db.prepare("UPDATE timers SET timer_id = ? WHERE pipeline = ? AND timer_id = ?");
  for (const { pipeline, pipeline_id, timer_id } of timers) {
    const sealed = ids.sealedOf(text(pipeline_id), text(timer_id));
    setTimer.run(sealed, integer(pipeline), text(timer_id));
  }
  const setCall = db.prepare(
    "UPDATE open_calls SET dispatch_id = ?, call_id = ?, tool = ? WHERE dispatch_id = ? AND call_id = ?",
  );
  for (const row of db.prepare("SELECT dispatch_id, call_id, tool FROM open_calls").all()) {
    const [dispatchId, callId, tool] = [text(row.dispatch_id), text(row.call_id), text(row.tool)];
    setCall.run(ids.sealed(dispatchId), ids.sealed(callId), ids.sealed(tool), dispatchId, callId);
  }
  const setHeld = db.prepare("UPDATE held_back SET dispatch_id = ? WHERE dispatch_id = ?");
  for (const row of db.prepare("SELECT dispatch_id FROM held_back").all())
    setHeld.run(ids.sealed(text(row.dispatch_id)), text(row.dispatch_id));
}

function oneByOne(seal: Seal): (value: string) => Uint8Array {
  const sealer = new BatchSealer(seal);
  return (value) => {
    sealer.begin();
    const laid = sealer.lay(Buffer.from(value));
    sealer.close();
    return sealer.take(laid);
  };
}
