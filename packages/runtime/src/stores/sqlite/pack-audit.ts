/**
 * Audit entries that follow one another and are about the same pipeline share a row. What a question can be about is in
 * its directory, apart from the entries, so that those are only read when they are wanted.
 */
import type { AuditRow } from "../../ports/store.ts";
import { blockLimits } from "../limits.ts";
import { joinBytes } from "./join-bytes.ts";
import { noKinds, withKind } from "./kinds.ts";

export interface AuditBlock {
  readonly tenantId: string;
  readonly pipelineId: string;
  readonly firstSequence: bigint;
  readonly lastSequence: bigint;
  readonly oldestMs: number;
  readonly newestMs: number;
  readonly kinds: number;
  /** Whether every id begins with that of the pipeline and a slash; then that is not written again. */
  readonly hasOwnIds: boolean;
  /** Five of each entry: id, type, milliseconds after the oldest, length of the hash and of the entry. */
  readonly directory: string;
  /** Hash and entry of each, one after another. */
  readonly entries: Uint8Array;
}

/** Hands over block after block. The bytes of a block hold until the next one. */
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
    // What does not follow begins a row, which is refused then.
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
