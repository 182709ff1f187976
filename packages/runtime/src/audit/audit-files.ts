/**
 * The audit record as files, one per pipeline, for developers (A §5.7): one entry per line, as protobuf JSON.
 *
 * J1. The store is authoritative; the files are copies and append-only.
 * J2. Every entry is written once. The folder notes how far everything is written; entries appended later are found at
 *     the end of the files.
 * J3. A line cut off by a crash is removed before the file continues.
 */
import { hash } from "node:crypto";
import {
  appendFileSync,
  closeSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { AuditEntrySchema, encodeJson } from "@baton/contract/forms";
import { fromBinary } from "@bufbuild/protobuf";
import { makeDirectory } from "../stores/sqlite/files.ts";
import type { RecordStore } from "./walk-record.ts";

export interface CatchUp {
  readonly folder: string;
  /** The last entry to write, per tenant. */
  readonly ends: ReadonlyMap<string, bigint>;
}

export interface Appended {
  readonly written: number;
}

const noteName = ".written.json";
const pageSize = 256;

/** Throws errors of the file system; the next call continues from the files. */
export async function appendFiles(store: RecordStore, { folder, ends }: CatchUp): Promise<Appended> {
  makeDirectory(folder);
  const note = readNote(folder);
  let written = 0;
  for (const [tenantId, end] of ends) {
    for (let after = note.get(tenantId) ?? 0n; after < end; ) {
      const rows = await store.auditRecord(tenantId, after, pageSize);
      const last = rows.at(-1)?.sequence;
      if (last === undefined) break;
      written += appendPage(folder, tenantId, rows);
      after = last;
      note.set(tenantId, last);
      writeNote(folder, note);
    }
  }
  return { written };
}

interface Line {
  readonly sequence: bigint;
  readonly text: string;
}

function appendPage(
  folder: string,
  tenantId: string,
  rows: readonly { readonly sequence: bigint; readonly entry: Uint8Array }[],
): number {
  const files = new Map<string, Line[]>();
  for (const { sequence, entry } of rows) {
    const message = fromBinary(AuditEntrySchema, entry);
    const name = fileNameOf(message.pipelineId, tenantId);
    const text = `${encodeJson(AuditEntrySchema, message)}\n`;
    files.set(name, [...(files.get(name) ?? []), { sequence, text }]);
  }
  let written = 0;
  for (const [name, lines] of files) written += appendLines(join(folder, name), lines);
  return written;
}

function appendLines(path: string, lines: readonly Line[]): number {
  const file = openSync(path, "a+", 0o600);
  try {
    const last = lastSequenceIn(file);
    const missing = lines.filter(({ sequence }) => sequence > last);
    if (missing.length > 0) {
      // appendFileSync writes everything or throws; a single write may be partial on a full disk.
      appendFileSync(file, missing.map(({ text }) => text).join(""));
      fsyncSync(file);
    }
    return missing.length;
  } finally {
    closeSync(file);
  }
}

const lineFeed = 10;
const tailBytes = 64 * 1024;

/** Sequence of the last complete line, 0 without one; removes a partial line behind it. */
function lastSequenceIn(file: number): bigint {
  const { size } = fstatSync(file);
  for (let length = Math.min(size, tailBytes); length > 0; length = Math.min(size, length * 4)) {
    const tail = Buffer.alloc(length);
    readSync(file, tail, 0, length, size - length);
    const end = tail.lastIndexOf(lineFeed) + 1;
    const start = end === 0 ? -1 : tail.lastIndexOf(lineFeed, end - 2);
    if ((end === 0 || start < 0) && length < size) continue;
    if (end < length) ftruncateSync(file, size - length + end);
    return end === 0 ? 0n : sequenceOf(tail.toString("utf8", start + 1, end));
  }
  return 0n;
}

function sequenceOf(line: string): bigint {
  try {
    const { sequence }: Readonly<Record<string, unknown>> = { ...JSON.parse(line) };
    return BigInt(String(sequence ?? 0));
  } catch {
    return 0n; // A foreign line stays; entries are appended behind it.
  }
}

/** Ids are untrusted: the name must stay in the folder. Entries of the fleet belong to a tenant. */
export function fileNameOf(pipelineId: string, tenantId: string): string {
  return pipelineId === "" ? `_fleet.${safeName(tenantId)}.jsonl` : `${safeName(pipelineId)}.jsonl`;
}

/** File systems limit names to 255 bytes. */
const maxNameLength = 160;

function safeName(id: string): string {
  const safe = encodeURIComponent(id.toWellFormed()).replace(/[!'()*~]|^[._]/g, percent);
  return safe.length <= maxNameLength ? safe : `${safe.slice(0, maxNameLength)}.${hash("sha256", id)}`;
}

function percent(letter: string): string {
  return `%${letter.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
}

function readNote(folder: string): Map<string, bigint> {
  try {
    const noted: unknown = JSON.parse(readFileSync(join(folder, noteName), "utf8"));
    const pairs = typeof noted === "object" && noted !== null ? Object.entries(noted) : [];
    return new Map(pairs.map(([tenantId, sequence]) => [tenantId, BigInt(String(sequence))]));
  } catch {
    return new Map(); // Without a note, all entries are compared.
  }
}

function writeNote(folder: string, note: ReadonlyMap<string, bigint>): void {
  const text = JSON.stringify(Object.fromEntries([...note].map(([id, sequence]) => [id, String(sequence)])));
  const path = join(folder, noteName);
  writeFileSync(`${path}.new`, text, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}
