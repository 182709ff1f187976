import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { adoptKey } from "./crypto/adopt-key.ts";
import { Decryptor } from "./crypto/decryptor.ts";
import { damage, sqliteCode } from "./errors.ts";
import { type StoreFiles, sizeOf } from "./files.ts";
import { migrate, refuseForeign } from "./schema/migrate.ts";
import { checkAtStart, type Found } from "./verify/check-at-start.ts";

/** Measured; docs/decisions/0017 has the figures. */
const settings = {
  /** Readers such as a backup may hold a lock for a moment. */
  busyTimeoutMs: 1000,
  pageBytes: 4096,
  /** Pages in the log at which a commit does a checkpoint, when `WalCheckpointer` has not. */
  checkpointPages: 16_000,
  /** Size to which an empty log is truncated. */
  logBytes: 64 * 1024 * 1024,
  cacheKib: 64 * 1024,
} as const;

const writeSettings = `
  PRAGMA synchronous = FULL;
  PRAGMA foreign_keys = ON;
  PRAGMA recursive_triggers = ON;
  PRAGMA trusted_schema = OFF;
  PRAGMA journal_size_limit = ${settings.logBytes};
`;

/** SQLITE_CANTOPEN and SQLITE_READONLY. */
const [cannotOpen, isReadOnly] = [14, 8];

/** Creates or migrates the database, checks it, and opens it for reading. */
export function connect(files: StoreFiles, wholeBytes: number): DatabaseSync {
  const db = new DatabaseSync(files.database, { timeout: settings.busyTimeoutMs });
  try {
    db.exec(`PRAGMA page_size = ${settings.pageBytes}`);
    const before = refuseForeign(db, files.database);
    const mode = db.prepare("PRAGMA journal_mode = WAL").get()?.journal_mode;
    if (mode !== "wal")
      throw damage(files.database, `its journal mode is "${mode}" and cannot be made "wal"`);
    db.exec(writeSettings + pragmasOf(settings));
    migrate(db, files.database);
    checkAtStart(db, foundIn(files, wholeBytes), new Decryptor(db, files));
    adoptKey(db, files, before);
    db.exec("PRAGMA query_only = ON");
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** The state of the files before the check. */
export function foundIn(files: StoreFiles, wholeBytes: number): Found {
  return { place: files.database, size: sizeOf(files.database), logSize: sizeOf(files.log), wholeBytes };
}

/** The time for locks, the checkpoints and the page cache of a connection for writing. */
export interface ConnectionLimits {
  readonly busyTimeoutMs: number;
  /** Zero disables checkpoints by commits. */
  readonly checkpointPages: number;
  readonly cacheKib: number;
}

function pragmasOf({ checkpointPages, cacheKib }: ConnectionLimits): string {
  return `PRAGMA wal_autocheckpoint = ${checkpointPages}; PRAGMA cache_size = -${cacheKib};`;
}

/** Opens a database for writing that `connect` has opened. */
export function connectToWrite(files: StoreFiles, limits: ConnectionLimits = settings): DatabaseSync {
  const db = new DatabaseSync(files.database, { timeout: limits.busyTimeoutMs });
  try {
    db.exec(writeSettings + pragmasOf(limits));
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Opens a database for reading while others write. */
export function connectToRead(files: StoreFiles): DatabaseSync {
  const db = openToRead(files);
  try {
    db.exec("PRAGMA trusted_schema = OFF; PRAGMA query_only = ON;");
    if (refuseForeign(db, files.database) === 0) throw damage(files.database, "it is empty");
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/**
 * SQLite writes a small file beside the log even for reading. Where nothing is writable and the log is empty, nobody can
 * change the database, and it is opened as immutable.
 */
function openToRead(files: StoreFiles): DatabaseSync {
  const options = { readOnly: true, timeout: settings.busyTimeoutMs };
  const db = new DatabaseSync(files.database, options);
  try {
    db.prepare("SELECT 1 FROM sqlite_schema").get();
    return db;
  } catch (error) {
    db.close();
    const code = sqliteCode(error);
    if ((code !== cannotOpen && code !== isReadOnly) || sizeOf(files.log) > 0) throw error;
    const immutable = pathToFileURL(files.database);
    immutable.searchParams.set("immutable", "1");
    return new DatabaseSync(immutable, options);
  }
}
