/**
 * The signed end of every tenant's record, in the file `audit.head` beside the store. It is written every few seconds,
 * more often than checkpoints, so that the entries after the last checkpoint cannot be cut off unnoticed.
 *
 * H1. It is never taken back: a file that is ahead of the record is moved aside, not overwritten.
 */
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ChainHead, keyIdOf, type PublicKey } from "@baton/kernel/audit";
import { checkSignature, type SigningKey, sha256 } from "./signing-key.ts";

/** A head with its signature. */
export interface SignedHead {
  readonly head: ChainHead & { readonly entryHash: Uint8Array };
  readonly publicKey: PublicKey;
  readonly signature: Uint8Array;
  /** Name of its file. */
  readonly file: string;
}

const fileName = "audit.head";

/** A note that `audit.head` was missing or outdated when a hub started. */
export interface MissedHead {
  readonly tenantId: string;
  /** A signed entry that must have been noted. */
  readonly sequence: bigint;
  readonly file: string;
}

/** Atomic. */
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

/** All heads of a data folder, including moved ones. */
export function readHeads(directory: string): readonly SignedHead[] {
  const aside = listed(directory).filter((name) => name.startsWith(`${fileName}.aside-`));
  return [fileName, ...aside].flatMap((name) => readFile(directory, name));
}

/** The current heads. */
export function readNewestHeads(directory: string): readonly SignedHead[] {
  return readFile(directory, fileName);
}

/** Invalid lines are skipped. */
function readFile(directory: string, name: string): readonly SignedHead[] {
  const lines = readText(join(directory, name)).split("\n");
  return lines.flatMap((line) => readLine(line, name) ?? []);
}

/** Moves a file aside that is ahead of the record, until an operator has checked it. */
export function moveAside(directory: string, nowMs: number): void {
  renameSync(join(directory, fileName), join(directory, `${fileName}.aside-${nowMs}`));
}

/** The next note replaces the missing one, so the finding is kept in a file until an operator removes it. */
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

/** The prefix differs from checkpoints and exports, so that signatures cannot be exchanged. */
function bytesOf({ tenantId, sequence, entryHash }: SignedHead["head"]): Uint8Array {
  return Buffer.from(
    JSON.stringify(["baton audit head", tenantId, String(sequence), Buffer.from(entryHash).toString("hex")]),
  );
}

function readLine(line: string, file: string): SignedHead | undefined {
  try {
    const fields: Readonly<Record<string, unknown>> = { ...JSON.parse(line) };
    const bytes = (name: string) => Buffer.from(String(fields[name] ?? ""), "base64");
    const head = {
      tenantId: String(fields.tenantId),
      sequence: BigInt(String(fields.sequence)),
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
