/** Decodes the rows of `packAudit`. */
import type { AuditRow } from "../../../ports/store.ts";
import { damage } from "../errors.ts";

/** The fields of an entry that queries compare, and the position of its bytes. */
export interface AuditHead extends Omit<AuditRow, "hash" | "entry"> {
  /** Number of the row. */
  readonly block: number;
  readonly start: number;
  readonly hashLength: number;
  readonly entryLength: number;
}

/** The directory of a row. */
export interface BlockRow {
  readonly n: number;
  readonly tenantId: string;
  readonly pipelineId: string;
  readonly firstSequence: number;
  readonly lastSequence: number;
  readonly oldestMs: number;
  readonly hasOwnIds: boolean;
  readonly directory: string;
}

const perEntry = 5;

export function unpackHeads(row: BlockRow): AuditHead[] {
  const { n: block, tenantId, pipelineId, firstSequence, oldestMs } = row;
  const count = row.lastSequence - firstSequence + 1;
  const fields = readDirectory(row, count);
  const prefix = row.hasOwnIds ? `${pipelineId}/` : "";
  const heads: AuditHead[] = [];
  let start = 0;
  for (let place = 0; place < count; place++) {
    const at = place * perEntry;
    const auditId = prefix + textIn(fields[at], block);
    const eventType = textIn(fields[at + 1], block);
    const atMs = oldestMs + numberIn(fields[at + 2], block);
    const hashLength = numberIn(fields[at + 3], block);
    const entryLength = numberIn(fields[at + 4], block);
    const sequence = BigInt(firstSequence + place);
    const bytes = { block, start, hashLength, entryLength };
    heads.push({ tenantId, sequence, auditId, pipelineId, eventType, atMs, ...bytes });
    start += hashLength + entryLength;
  }
  return heads;
}

/** The entry of a head. */
export function withBytes(head: AuditHead, entries: Uint8Array): AuditRow {
  const { block, start, hashLength, entryLength, ...row } = head;
  const middle = start + hashLength;
  const end = middle + entryLength;
  if (end > entries.length) throw unreadable(block);
  return { ...row, hash: entries.subarray(start, middle), entry: entries.subarray(middle, end) };
}

function readDirectory({ n, directory }: BlockRow, count: number): readonly unknown[] {
  try {
    const fields: unknown = JSON.parse(directory);
    if (Array.isArray(fields) && fields.length === count * perEntry) return fields;
  } catch {}
  throw unreadable(n);
}

function textIn(value: unknown, block: number): string {
  if (typeof value === "string") return value;
  throw unreadable(block);
}

function numberIn(value: unknown, block: number): number {
  if (typeof value === "number") return value;
  throw unreadable(block);
}

function unreadable(block: number): Error {
  return damage(`audit row ${block}`, "its directory does not fit its entries");
}
