import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { checkAtStart, type Found } from "./checking/check-at-start.ts";
import { damage, sqliteCode } from "./errors.ts";
import { type StoreFiles, sizeOf } from "./files.ts";
import { migrate, refuseForeign } from "./migrate.ts";
import { adoptKey } from "./sealing/adopt-key.ts";
import { Opener } from "./sealing/opener.ts";

/** Chosen by measuring; docs/decisions/0017 has the figures. */
const settings = {
  /** Readers such as a backup may hold a lock for a moment. */
  busyTimeoutMs: 1000,
  pageBytes: 4096,
  /** Pages in the log before a commit moves them to the database, because `LogMover` has not. */
  checkpointPages: 16_000,
  /** What the log is cut to after it was emptied. */
  logBytes: 64 * 1024 * 1024,
  cacheKib: 64 * 1024,
} as const;

const toWrite = `
  PRAGMA synchronous = FULL;
  PRAGMA foreign_keys = ON;
  PRAGMA recursive_triggers = ON;
  PRAGMA trusted_schema = OFF;
  PRAGMA journal_size_limit = ${settings.logBytes};
`;

/** SQLITE_CANTOPEN and SQLITE_READONLY. */
const [cannotOpen, isReadOnly] = [14, 8];

/** Makes the database when it is empty, brings it to the newest version, looks at it, and opens it for reading. */
export function connect(files: StoreFiles, wholeBytes: number): DatabaseSync {
  const db = new DatabaseSync(files.database, { timeout: settings.busyTimeoutMs });
  try {
    db.exec(`PRAGMA page_size = ${settings.pageBytes}`);
    const before = refuseForeign(db, files.database);
    const mode = db.prepare("PRAGMA journal_mode = WAL").get()?.journal_mode;
    if (mode !== "wal")
      throw damage(files.database, `its journal mode is "${mode}" and cannot be made "wal"`);
    db.exec(toWrite + take(settings));
    migrate(db, files.database);
    checkAtStart(db, foundIn(files, wholeBytes), new Opener(db, files));
    adoptKey(db, files, before);
    db.exec("PRAGMA query_only = ON");
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** What is known of the files before they are looked into. */
export function foundIn(files: StoreFiles, wholeBytes: number): Found {
  return { place: files.database, size: sizeOf(files.database), logSize: sizeOf(files.log), wholeBytes };
}

/** What a connection that writes may take: of time for a lock or to move the log, and of memory for pages. */
export interface WriteRoom {
  readonly busyTimeoutMs: number;
  /** Zero when commits never move the log. */
  readonly checkpointPages: number;
  readonly cacheKib: number;
}

function take({ checkpointPages, cacheKib }: WriteRoom): string {
  return `PRAGMA wal_autocheckpoint = ${checkpointPages}; PRAGMA cache_size = -${cacheKib};`;
}

/** Opens a database for writing that `connect` has opened before. */
export function connectToWrite(files: StoreFiles, room: WriteRoom = settings): DatabaseSync {
  const db = new DatabaseSync(files.database, { timeout: room.busyTimeoutMs });
  try {
    db.exec(toWrite + take(room));
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Opens it for reading, beside whoever writes. */
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
 * SQLite wants to write a little file beside the log even to read. Where nothing can be written and nothing is in the
 * log, the database is all there is, and nobody changes it.
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
    const unchanging = pathToFileURL(files.database);
    unchanging.searchParams.set("immutable", "1");
    return new DatabaseSync(unchanging, options);
  }
}
