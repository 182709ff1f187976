/**
 * The record of a tenant as a chain (A §5.2, OBS-04).
 *
 * I1. Sequences count from one without gaps; each tenant has a chain of its own.
 * I2. Every entry carries the hash of the one before; the first carries none.
 * I3. `entry_hash` is the digest of the entry's canonical bytes, sequence, tenant and previous hash among them. So the
 *     hash of the last entry commits to every byte of every entry before it.
 */
import type { AuditEntry } from "@baton/contract/messages";
import { entryBytes } from "./canonical.ts";
import type { Digest } from "./digest.ts";

/** Where a tenant's chain ends. It is read and written in the transaction that appends, or two entries get one place. */
export interface ChainHead {
  readonly tenantId: string;
  /** The last entry's; zero when there is none yet. */
  readonly sequence: bigint;
  readonly entryHash: Uint8Array | undefined;
}

export function emptyChain(tenantId: string): ChainHead {
  return { tenantId, sequence: 0n, entryHash: undefined };
}

export interface Chained {
  readonly entries: readonly AuditEntry[];
  readonly head: ChainHead;
}

/**
 * Gives each entry its place, in order. The entries are copied, not changed. Throws when one belongs to another tenant,
 * already has a place, or has no canonical form: all are mistakes of the caller.
 */
export function chainEntries(head: ChainHead, entries: readonly AuditEntry[], digest: Digest): Chained {
  const chained: AuditEntry[] = [];
  let last = head;
  for (const entry of entries) {
    refuseMisplaced(head, entry);
    const placed: AuditEntry = { ...entry, sequence: last.sequence + 1n };
    if (last.entryHash !== undefined) placed.previousHash = last.entryHash;
    placed.entryHash = digest(entryBytes(placed));
    chained.push(placed);
    last = { tenantId: head.tenantId, sequence: placed.sequence, entryHash: placed.entryHash };
  }
  return { entries: chained, head: last };
}

export function refuseMisplaced({ tenantId }: ChainHead, entry: AuditEntry): void {
  const { auditId } = entry;
  if (entry.tenantId !== tenantId) {
    throw new RangeError(
      `entry ${auditId} of tenant "${entry.tenantId}" is not for the record of "${tenantId}"`,
    );
  }
  if (entry.sequence !== 0n || entry.previousHash !== undefined || entry.entryHash !== undefined) {
    throw new RangeError(`entry ${auditId} already has a place in a chain`);
  }
}
