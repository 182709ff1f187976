/**
 * Where the record of every tenant ends, signed, in a file beside the store: `audit.head`. It is written every few seconds,
 * much oftener than checkpoints are, so that a tail that no checkpoint covers yet cannot be cut off the store unseen.
 *
 * H1. What it says is never taken back: a file that says more than the record has is put aside, not written over.
 */
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ChainHead, keyIdOf, type PublicKey } from "@baton/kernel/audit";
import { checkSignature, type SigningKey, sha256 } from "./signing-key.ts";

/** A head that somebody vouches for. */
export interface SignedHead {
  readonly head: ChainHead & { readonly entryHash: Uint8Array };
  readonly publicKey: PublicKey;
  readonly signature: Uint8Array;
  /** The file that it was read from. */
  readonly file: string;
}

const fileName = "audit.head";

/** A file that says that `audit.head` was missing, or too old, when a hub started. */
export interface MissedHead {
  readonly tenantId: string;
  /** An entry that was signed, and so had been noted. */
  readonly sequence: bigint;
  readonly file: string;
}

/** Written whole or not at all. */
export function writeHeads(directory: string, heads: readonly ChainHead[], key: SigningKey): void {
  const lines = heads.flatMap(({ tenantId, sequence, entryHash }) => {
    if (entryHash === undefined) return [];
    const head = { tenantId, sequence, entryHash };
    return JSON.stringify({
      ...{ tenantId, sequence: String(sequence), entryHash: toText(entryHash) },
      ...{ publicKey: toText(key.publicKey), signature: toText(key.sign(bytesOf(head))) },
    });
  });
  const path = join(directory, fileName);
  mkdirSync(directory, { recursive: true });
  writeFileSync(`${path}.new`, lines.map((line) => `${line}\n`).join(""), { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

/** What is noted of a data folder, also what was put aside. */
export function readHeads(directory: string): readonly SignedHead[] {
  const aside = listed(directory).filter((name) => name.startsWith(`${fileName}.aside-`));
  return [fileName, ...aside].flatMap((name) => readFile(directory, name));
}

/** What is noted now. */
export function readNewestHeads(directory: string): readonly SignedHead[] {
  return readFile(directory, fileName);
}

/** A line that is none says nothing. */
function readFile(directory: string, name: string): readonly SignedHead[] {
  const lines = readText(join(directory, name)).split("\n");
  return lines.flatMap((line) => readLine(line, name) ?? []);
}

/** It says more than the record has: it stays, under another name, until a person has looked. */
export function putAside(directory: string, nowMs: number): void {
  renameSync(join(directory, fileName), join(directory, `${fileName}.aside-${nowMs}`));
}

/** The next note replaces the missing one, so what was missing stays on record until a person removes the file. */
export function noteMissing(
  directory: string,
  nowMs: number,
  missed: readonly Omit<MissedHead, "file">[],
): void {
  const lines = missed.map(({ tenantId, sequence }) =>
    JSON.stringify({ tenantId, sequence: String(sequence) }),
  );
  const path = join(directory, `${fileName}.missing-${nowMs}`);
  writeFileSync(path, `${lines.join("\n")}\n`, { mode: 0o600 });
}

export function readMissing(directory: string): readonly MissedHead[] {
  const files = listed(directory).filter((name) => name.startsWith(`${fileName}.missing-`));
  return files.flatMap((file) =>
    readText(join(directory, file))
      .split("\n")
      .flatMap((line) => {
        const read = readLine(line, file);
        return read ? { tenantId: read.head.tenantId, sequence: read.head.sequence, file } : [];
      }),
  );
}

export function isSigned({ head, publicKey, signature }: SignedHead): boolean {
  return checkSignature(publicKey, bytesOf(head), signature);
}

export function keyOf({ publicKey }: SignedHead): string {
  return keyIdOf(publicKey, sha256);
}

/** Begins otherwise than what checkpoints and exports are signed by, so that one is never taken for the other. */
function bytesOf({ tenantId, sequence, entryHash }: SignedHead["head"]): Uint8Array {
  return Buffer.from(
    JSON.stringify(["baton audit head", tenantId, String(sequence), Buffer.from(entryHash).toString("hex")]),
  );
}

function readLine(line: string, file: string): SignedHead | undefined {
  try {
    const told: Readonly<Record<string, unknown>> = { ...JSON.parse(line) };
    const bytes = (name: string) => Buffer.from(String(told[name] ?? ""), "base64");
    const head = {
      tenantId: String(told.tenantId),
      sequence: BigInt(String(told.sequence)),
      entryHash: bytes("entryHash"),
    };
    return { head, publicKey: bytes("publicKey"), signature: bytes("signature"), file };
  } catch {
    return undefined;
  }
}

function toText(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64");
}

function listed(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
