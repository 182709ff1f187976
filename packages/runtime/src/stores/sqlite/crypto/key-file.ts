/** The file with the key of a store: 32 random bytes, readable by its owner alone. */
import { randomBytes, randomUUID } from "node:crypto";
import {
  closeSync,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readSync,
  rmSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { StoreUnavailable } from "../../../ports/store-error.ts";
import { codeOf } from "../errors.ts";
import { syncDirectory } from "../files.ts";
import { cipherSizes } from "./store-cipher.ts";

/** Reads the key, or creates one. */
export function readOrMakeKey(path: string): Buffer {
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) return readKey(path);
  try {
    writeKey(path, randomBytes(cipherSizes.key));
  } catch (error) {
    if (codeOf(error) === "ENOENT") throw noFolder(path, error);
    if (codeOf(error) !== "EEXIST") throw error; // A full disk or missing permission: the message of the system says so.
  }
  return readKey(path);
}

/** Throws `StoreUnavailable` when the file is missing, is no key, or is readable by others. */
export function readKey(path: string): Buffer {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch (error) {
    throw codeOf(error) === "ENOENT" ? missing(path, error) : unusable(path, "it cannot be read", error);
  }
  try {
    const found = fstatSync(file);
    if (!found.isFile()) throw unusable(path, "it is no file");
    if (process.platform !== "win32" && (found.mode & 0o077) !== 0) throw open(path);
    const bytes = Buffer.alloc(cipherSizes.key + 1);
    const length = readSync(file, bytes);
    if (length !== cipherSizes.key || found.size !== cipherSizes.key)
      throw unusable(path, `it has ${found.size} bytes, and a key has ${cipherSizes.key}`);
    return bytes.subarray(0, cipherSizes.key);
  } finally {
    closeSync(file);
  }
}

/** The file appears under its name when it is complete and durable, and never replaces another one. */
export function writeKey(path: string, key: Uint8Array): void {
  const unfinished = `${path}.${randomUUID()}.unfinished`;
  try {
    const file = openSync(unfinished, "wx", 0o600);
    try {
      writeSync(file, key);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    linkSync(unfinished, path);
  } finally {
    rmSync(unfinished, { force: true });
  }
  syncDirectory(dirname(path));
}

function missing(path: string, cause: unknown): StoreUnavailable {
  return new StoreUnavailable(
    "BATON-STORE-010",
    `the key that opens the store is missing: there is no file ${path}`,
    {
      fix: "put the key back from where it is kept, or say with --store-key where it is; a store without its key cannot be read",
      mayPass: false,
      cause,
    },
  );
}

function noFolder(path: string, cause: unknown): StoreUnavailable {
  return new StoreUnavailable("BATON-STORE-010", `the key of the store ${path} cannot be made`, {
    fix: `make the folder ${dirname(path)}, for the hub's user alone`,
    mayPass: false,
    cause,
  });
}

function open(path: string): StoreUnavailable {
  return new StoreUnavailable(
    "BATON-STORE-010",
    `the key of the store ${path} can be read by others than its owner`,
    { fix: `take that right away: chmod 600 ${path}`, mayPass: false },
  );
}

function unusable(path: string, why: string, cause?: unknown): StoreUnavailable {
  return new StoreUnavailable("BATON-STORE-010", `the key of the store ${path} cannot be used: ${why}`, {
    fix: "put the key back from where it is kept, as a file of 32 bytes that the hub's user may read",
    mayPass: false,
    ...(cause === undefined ? {} : { cause }),
  });
}
