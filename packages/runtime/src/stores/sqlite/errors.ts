/** Converts errors of SQLite and the file system to those of the port. */
import { Conflict, OutOfSequence, type StoreErrorCode, StoreUnavailable } from "../../ports/store-error.ts";
import { misuse } from "../validate.ts";

interface Meaning {
  readonly code: StoreErrorCode;
  readonly what: string;
  readonly fix: string;
  readonly mayPass: boolean;
}

const held: Meaning = {
  code: "BATON-STORE-001",
  what: "somebody else is using the store",
  fix: "end the other process, or use another directory",
  mayPass: true,
};
export const damaged: Meaning = {
  code: "BATON-STORE-003",
  what: "the store is damaged",
  fix: "keep the directory as it is, and start from the last backup in a new one",
  mayPass: false,
};
export const otherTables: Meaning = {
  code: "BATON-STORE-003",
  what: "the file does not have the tables of a store of Baton",
  fix: "if another program has written it, use another directory; otherwise keep the directory as it is, and start from the last backup in a new one",
  mayPass: false,
};
const full: Meaning = {
  code: "BATON-STORE-004",
  what: "there is no room left for the store",
  fix: "make room on the disk; the hub goes on by itself",
  mayPass: true,
};
const readOnly: Meaning = {
  code: "BATON-STORE-005",
  what: "the store must not be written to",
  fix: "give the hub's user the right to write to the directory, or mount it writable",
  mayPass: false,
};
const unreachable: Meaning = {
  code: "BATON-STORE-006",
  what: "the store cannot be opened",
  fix: "check that the directory exists and that the hub's user may use it",
  mayPass: false,
};
const failing: Meaning = {
  code: "BATON-STORE-006",
  what: "the disk of the store failed",
  fix: "look at the disk and at the system's log; the hub tries again",
  mayPass: true,
};
const stopped: Meaning = {
  code: "BATON-STORE-006",
  what: "what writes to the store has stopped",
  fix: "look at the memory that the hub may use; the hub tries again",
  mayPass: true,
};

const unchecked: Meaning = {
  code: "BATON-STORE-006",
  what: "the store could not be looked at whole",
  fix: "look at the memory that the hub may use, and check the store; the hub goes on",
  mayPass: true,
};

/** By the primary result code, which is the low byte of the extended one (sqlite.org/rescode.html). */
const bySqliteCode: ReadonlyMap<number, Meaning> = new Map([
  [1, otherTables], // SQLITE_ERROR: our statements are the same every time, so it is what they are about that differs
  [3, readOnly], // SQLITE_PERM
  [5, held], // SQLITE_BUSY
  [6, held], // SQLITE_LOCKED
  [8, readOnly], // SQLITE_READONLY
  [10, failing], // SQLITE_IOERR
  [11, damaged], // SQLITE_CORRUPT
  [13, full], // SQLITE_FULL
  [14, unreachable], // SQLITE_CANTOPEN
  [26, damaged], // SQLITE_NOTADB
]);

const bySystemCode: ReadonlyMap<string, Meaning> = new Map([
  ["EACCES", readOnly],
  ["EPERM", readOnly],
  ["EROFS", readOnly],
  ["ENOSPC", full],
  ["EDQUOT", full],
  ["EIO", failing],
]);

const constraint = 19;
const tooBig = 18;
const mismatch = 20;

/** What `commit` throws. */
export type CommitError = Conflict | OutOfSequence | StoreUnavailable;

/** Converts an error of SQLite or the file system to one of the port. */
export function asStoreError(error: unknown, place: string): CommitError {
  if (error instanceof Conflict || error instanceof OutOfSequence || error instanceof StoreUnavailable)
    return error;
  const primary = sqliteCode(error);
  if (primary === constraint || primary === tooBig || primary === mismatch || isBadArgument(error)) {
    return misuse(`the store ${place} refuses what it was given: ${messageOf(error)}`, error);
  }
  const meaning =
    (primary === undefined ? bySystemCode.get(codeOf(error)) : bySqliteCode.get(primary)) ??
    (primary === undefined ? unreachable : failing);
  return unavailable(meaning, `${place}: ${messageOf(error)}`, error);
}

/** After these errors the state of a connection is unknown. */
export function isDoubtful(error: Error): boolean {
  return error instanceof StoreUnavailable && /00[356]$/.test(error.code);
}

/** The writer thread ended with requests in flight. `lastBatch` shows whether they are stored. */
export function threadEnded(place: string, cause: Error | undefined): StoreUnavailable {
  return unavailable(stopped, `${place}: ${cause?.message ?? "it gave no reason"}`, cause);
}

/** The background check failed. */
export function notChecked(place: string, cause: unknown): StoreUnavailable {
  return unavailable(unchecked, `${place}: ${messageOf(cause)}`, cause);
}

export function damage(place: string, what: string): StoreUnavailable {
  return unavailable(damaged, `${place}: ${what}`);
}

/** Tables, indexes or triggers differ from the migrations. */
export function wrongTables(place: string, what: string): StoreUnavailable {
  return unavailable(otherTables, `${place}: ${what}`);
}

export function unavailable(meaning: Meaning, detail: string, cause?: unknown): StoreUnavailable {
  const { code, what, fix, mayPass } = meaning;
  return new StoreUnavailable(code, `${what}: ${detail}`, { fix, mayPass, cause });
}

/** The primary result code of an error of SQLite. */
export function sqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("errcode" in error) || typeof error.errcode !== "number")
    return undefined;
  return error.errcode & 0xff;
}

export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

/** A value that SQLite cannot store, such as an integer of more than 64 bits. */
function isBadArgument(error: unknown): boolean {
  return /^ERR_(INVALID_ARG|OUT_OF_RANGE)/.test(codeOf(error));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
