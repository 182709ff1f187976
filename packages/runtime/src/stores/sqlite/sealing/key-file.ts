/** The key of a store, in a file of its own: 32 random bytes, for its owner alone. */
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
import { sealSizes } from "./seal.ts";

/** Reads the key, and makes it when there is none. */
export function readOrMakeKey(path: string): Buffer {
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) return readKey(path);
  try {
    writeKey(path, randomBytes(sealSizes.key));
  } catch (error) {
    if (codeOf(error) === "ENOENT") throw noFolder(path, error);
    if (codeOf(error) !== "EEXIST") throw error; // No room, no right to write: the system's words say it.
  }
  return readKey(path);
}

/** Throws `StoreUnavailable` when it is not there, or no key, or not for its owner alone. */
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
    const bytes = Buffer.alloc(sealSizes.key + 1);
    const length = readSync(file, bytes);
    if (length !== sealSizes.key || found.size !== sealSizes.key)
      throw unusable(path, `it has ${found.size} bytes, and a key has ${sealSizes.key}`);
    return bytes.subarray(0, sealSizes.key);
  } finally {
    closeSync(file);
  }
}

/** It gets its name once it is whole and durable, and never takes the place of another file. */
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
