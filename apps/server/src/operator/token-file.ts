import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  openSync,
  readSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { ServerError } from "../server-error.ts";

/** Fits into a header; the prefix distinguishes it from a key. */
export const operatorTokenPattern = /^baton-operator_[A-Za-z0-9_-]{43}$/;

export function makeOperatorToken(): string {
  return `baton-operator_${randomBytes(32).toString("base64url")}`;
}

export function tokenFileOf(folder: string): string {
  return join(folder, "operator.token");
}

/**
 * Opens the token of a folder, or makes one. Replaces a damaged token, and one that others could read, because they must not
 * decide with it.
 */
export function openOperatorToken(folder: string): string {
  const path = tokenFileOf(folder);
  try {
    const kept = readToken(path);
    if (kept !== undefined) return kept;
    unlinkIfThere(path);
    return writeToken(path);
  } catch (error) {
    throw new ServerError(
      "BATON-SERVER-017",
      `the operator token cannot be stored: ${error instanceof Error ? error.message : String(error)}`,
      "let the hub's user write to its data folder",
      error,
    );
  }
}

/** Undefined when there is no usable token. */
function readToken(path: string): string | undefined {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  } catch (error) {
    if (["ENOENT", "ELOOP"].includes(codeOf(error))) return undefined;
    throw error;
  }
  try {
    if (process.platform !== "win32" && (fstatSync(file).mode & 0o077) !== 0) return undefined;
    const bytes = Buffer.alloc(200);
    const text = bytes.toString("latin1", 0, readSync(file, bytes)).trim();
    return operatorTokenPattern.test(text) ? text : undefined;
  } finally {
    closeSync(file);
  }
}

function writeToken(path: string): string {
  const token = makeOperatorToken();
  const file = openSync(path, "wx", 0o600);
  try {
    writeSync(file, `${token}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  return token;
}

function unlinkIfThere(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
