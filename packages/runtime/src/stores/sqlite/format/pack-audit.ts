/**
 * Consecutive audit entries of a pipeline share a row. Its directory has everything that queries compare, so that the entries
 * are read only when they match.
 */
import type { AuditRow } from "../../../ports/store.ts";
import { blockLimits } from "../../limits.ts";
import { noKinds, withKind } from "./kinds.ts";

export interface AuditBlock {
  readonly tenantId: string;
  readonly pipelineId: string;
  readonly firstSequence: bigint;
  readonly lastSequence: bigint;
  readonly oldestMs: number;
  readonly newestMs: number;
  readonly kinds: number;
  /** Whether every id begins with that of the pipeline and a slash; this prefix is left out then. */
  readonly hasOwnIds: boolean;
  /** Five values per entry: id, type, milliseconds after the oldest, lengths of hash and entry. */
  readonly directory: string;
  /** The hash and the entry of each, concatenated. */
  readonly entries: Uint8Array;
}

/** Passes on one block after another. The bytes of a block are valid until the next one. */
export function packAudit(rows: readonly AuditRow[], take: (block: AuditBlock) => void): void {
  for (let start = 0; start < rows.length; ) {
    const end = endOfBlock(rows, start);
    take(packBlock(rows, start, end));
    start = end;
  }
}

function endOfBlock(rows: readonly AuditRow[], start: number): number {
  const first = rows[start];
  let size = 0;
  let end = start;
  for (let row = first; row !== undefined && first !== undefined; row = rows[end]) {
    if (row.pipelineId !== first.pipelineId || row.tenantId !== first.tenantId) break;
    // An entry out of sequence begins a row, which the table then refuses.
    if (end > start && row.sequence !== first.sequence + BigInt(end - start)) break;
    size += row.hash.length + row.entry.length;
    end++;
    if (size >= blockLimits.bytes || end - start >= blockLimits.entries) break;
  }
  return end;
}

function packBlock(rows: readonly AuditRow[], start: number, end: number): AuditBlock {
  const first = rows[start];
  if (first === undefined) throw new RangeError("a block has an entry");
  const { tenantId, pipelineId, sequence: firstSequence } = first;
  const own = `${pipelineId}/`;
  let hasOwnIds = pipelineId !== "" && !pipelineId.includes("/");
  let oldestMs = first.atMs;
  let newestMs = first.atMs;
  for (let place = start; place < end; place++) {
    const { auditId, atMs } = rows[place] ?? first;
    if (atMs < oldestMs) oldestMs = atMs;
    if (atMs > newestMs) newestMs = atMs;
    if (hasOwnIds && !auditId.startsWith(own)) hasOwnIds = false;
  }
  const written = hasOwnIds ? own.length : 0;
  const directory: (string | number)[] = [];
  const parts: Uint8Array[] = [];
  let kinds = noKinds;
  for (let place = start; place < end; place++) {
    const { auditId, eventType, atMs, hash, entry } = rows[place] ?? first;
    directory.push(auditId.slice(written), eventType, atMs - oldestMs, hash.length, entry.length);
    parts.push(hash, entry);
    kinds = withKind(kinds, eventType);
  }
  const lastSequence = firstSequence + BigInt(end - start - 1);
  const entries = joinBytes(parts);
  const text = JSON.stringify(directory);
  return {
    tenantId,
    pipelineId,
    firstSequence,
    lastSequence,
    oldestMs,
    newestMs,
    kinds,
    hasOwnIds,
    directory: text,
    entries,
  };
}

/** Longer than most rows; longer ones get a buffer of their own. */
const shared = new Uint8Array(64 * 1024);

/** Concatenates bytes. The result is valid until the next call; SQLite has copied it by then. */
function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  let length = 0;
  for (const part of parts) length += part.length;
  const joined = length <= shared.length ? shared.subarray(0, length) : new Uint8Array(length);
  let start = 0;
  for (const part of parts) {
    joined.set(part, start);
    start += part.length;
  }
  return joined;
}
