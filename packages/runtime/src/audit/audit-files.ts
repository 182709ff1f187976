/**
 * The record as files, one a pipeline, for people who develop with Baton (A §5.7): an entry a line, as protobuf JSON.
 *
 * J1. The record is the store's; these are copies of it, and are only ever appended to.
 * J2. Every entry is written once. How far everything is written is noted in the folder; what was appended after the last
 *     note is found at the end of the files themselves.
 * J3. A line that was cut off by a crash is taken away before the file goes on.
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
  /** Where the record of every tenant ends, as far as it is to be written. */
  readonly ends: ReadonlyMap<string, bigint>;
}

export interface Caught {
  readonly written: number;
}

const noteName = ".written.json";
const entriesAtOnce = 256;

/** Throws what the file system throws; then the next call goes on from what is there. */
export async function appendFiles(store: RecordStore, { folder, ends }: CatchUp): Promise<Caught> {
  makeDirectory(folder);
  const note = readNote(folder);
  let written = 0;
  for (const [tenantId, end] of ends) {
    for (let after = note.get(tenantId) ?? 0n; after < end; ) {
      const rows = await store.auditRecord(tenantId, after, entriesAtOnce);
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
      // All of it, or it throws: one call to the system may write less when the disk is nearly full.
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

/** Of the last whole line; what is behind it is taken away. Zero when there is none. */
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
    return 0n; // Somebody wrote something else there. It stays, and the entries come behind it.
  }
}

/** Ids come from outside, and a name in a folder must not lead out of it. What concerns the fleet is of a tenant. */
export function fileNameOf(pipelineId: string, tenantId: string): string {
  return pipelineId === "" ? `_fleet.${safeName(tenantId)}.jsonl` : `${safeName(pipelineId)}.jsonl`;
}

/** File systems take names of 255 bytes. */
const longestName = 160;

function safeName(id: string): string {
  const safe = encodeURIComponent(id.toWellFormed()).replace(/[!'()*~]|^[._]/g, percent);
  return safe.length <= longestName ? safe : `${safe.slice(0, longestName)}.${hash("sha256", id)}`;
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
    return new Map(); // Without a note, every entry is looked for.
  }
}

function writeNote(folder: string, note: ReadonlyMap<string, bigint>): void {
  const text = JSON.stringify(Object.fromEntries([...note].map(([id, sequence]) => [id, String(sequence)])));
  const path = join(folder, noteName);
  writeFileSync(`${path}.new`, text, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}
