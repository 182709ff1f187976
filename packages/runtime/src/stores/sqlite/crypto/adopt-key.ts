import type { DatabaseSync } from "node:sqlite";
import { timeoutTimer } from "@baton/kernel/stored";
import { heldUnknown } from "../../../ports/store.ts";
import { StoreUnavailable } from "../../../ports/store-error.ts";
import { damage } from "../errors.ts";
import type { StoreFiles } from "../files.ts";
import { bytes, integer, text } from "../format/columns.ts";
import { versionOf } from "../schema/migrate.ts";
import { BatchEncryptor } from "./batch-encryptor.ts";
import { IdCipher } from "./id-cipher.ts";
import { readKey, readOrMakeKey } from "./key-file.ts";
import { StoreCipher } from "./store-cipher.ts";

export const versionWithEncryption = 6;
/** The first version that stores held-back text. */
const versionWithHeldBack = 5;

/** Stored encrypted, to recognise the key of the store. The text is part of the stored format. */
const proof = "this store is sealed with this key";

/** Stores of older versions have no encrypted rows. */
export function isEncrypted(db: DatabaseSync): boolean {
  return versionOf(db) >= versionWithEncryption && db.prepare("SELECT 1 FROM sealing").get() !== undefined;
}

/** The cipher of a store with encrypted rows. Throws `StoreUnavailable` without its key. */
export function cipherOf(db: DatabaseSync, files: StoreFiles): StoreCipher {
  const row = db.prepare("SELECT key_id, proof FROM sealing").get();
  if (row === undefined) throw damage(files.database, "it does not name the key it is encrypted with");
  const cipher = new StoreCipher(readKey(files.key));
  const isNamed = text(row.key_id) === cipher.keyId;
  const isProven = cipher.decrypt(bytes(row.proof)).toString() === proof;
  if (isNamed && isProven) return cipher;
  if (isNamed || isProven) throw damage(files.database, "its description of the key is not what was written");
  throw new StoreUnavailable(
    "BATON-STORE-011",
    `the key ${files.key} is another one than that of the store ${files.directory}: it has the id ${cipher.keyId}, and ${text(row.key_id)} is wanted`,
    { fix: "name the file of the store's own key with --store-key, or put it there", mayPass: false },
  );
}

/**
 * Creates the key of a store that has none. The key is durable before anything is encrypted with it. Ids that are looked up,
 * and rows that are deleted later anyway, are encrypted at once. `before` is the version that the store had.
 */
export function adoptKey(db: DatabaseSync, files: StoreFiles, before: number): void {
  if (isEncrypted(db)) return;
  const cipher = new StoreCipher(readOrMakeKey(files.key));
  const encryptOne = oneByOne(cipher);
  // Deleted rows are overwritten.
  db.exec("PRAGMA secure_delete = ON; BEGIN IMMEDIATE");
  try {
    const insert = "INSERT INTO sealing (one, key_id, proof) VALUES (1, ?, ?)";
    db.prepare(insert).run(cipher.keyId, encryptOne(proof));
    // After a start that was interrupted, the version before is unknown.
    if (before !== versionWithHeldBack) noteUnknown(db);
    encryptIds(db, new IdCipher(cipher));
    for (const [table, key] of [
      ["outbox", "id"],
      ["held_back", "dispatch_id"],
    ]) {
      const update = db.prepare(`UPDATE ${table} SET text = '', sealed = ? WHERE ${key} = ?`);
      for (const row of db.prepare(`SELECT ${key} AS key, text FROM ${table}`).all())
        update.run(encryptOne(text(row.text)), row.key ?? null);
    }
    db.exec("COMMIT");
  } catch (error) {
    if (db.isTransaction) db.exec("ROLLBACK");
    throw error;
  } finally {
    db.exec("PRAGMA secure_delete = OFF");
  }
}

/** A running agent may be in the middle of a word, and the store did not keep what came before. */
function noteUnknown(db: DatabaseSync): void {
  db.prepare(
    `INSERT INTO held_back (dispatch_id, tenant, pipeline, text)
      SELECT substr(i.timer_id, length(?1) + 1), p.tenant, p.n, ?2
      FROM timers i JOIN pipelines p ON p.n = i.pipeline WHERE substr(i.timer_id, 1, length(?1)) = ?1
      ON CONFLICT (dispatch_id) DO NOTHING`,
  ).run(timeoutTimer(""), heldUnknown);
}

function encryptIds(db: DatabaseSync, ids: IdCipher): void {
  const timers = db
    .prepare(
      "SELECT i.pipeline, p.pipeline_id, i.timer_id FROM timers i JOIN pipelines p ON p.n = i.pipeline",
    )
    .all();
  const setTimer = db.prepare("UPDATE timers SET timer_id = ? WHERE pipeline = ? AND timer_id = ?");
  for (const { pipeline, pipeline_id, timer_id } of timers) {
    const encrypted = ids.encryptTimerId(text(pipeline_id), text(timer_id));
    setTimer.run(encrypted, integer(pipeline), text(timer_id));
  }
  const setCall = db.prepare(
    "UPDATE open_calls SET dispatch_id = ?, call_id = ?, tool = ? WHERE dispatch_id = ? AND call_id = ?",
  );
  for (const row of db.prepare("SELECT dispatch_id, call_id, tool FROM open_calls").all()) {
    const [dispatchId, callId, tool] = [text(row.dispatch_id), text(row.call_id), text(row.tool)];
    setCall.run(ids.encrypt(dispatchId), ids.encrypt(callId), ids.encrypt(tool), dispatchId, callId);
  }
  const setHeld = db.prepare("UPDATE held_back SET dispatch_id = ? WHERE dispatch_id = ?");
  for (const row of db.prepare("SELECT dispatch_id FROM held_back").all())
    setHeld.run(ids.encrypt(text(row.dispatch_id)), text(row.dispatch_id));
}

function oneByOne(cipher: StoreCipher): (value: string) => Uint8Array {
  const encryptor = new BatchEncryptor(cipher);
  return (value) => {
    encryptor.begin();
    const slot = encryptor.add(Buffer.from(value));
    encryptor.encrypt();
    return encryptor.take(slot);
  };
}
