/**
 * The audit record of a tenant is a hash chain (A §5.2, OBS-04).
 *
 * I1. Sequences count from one without gaps; each tenant has a chain of its own.
 * I2. Every entry carries the hash of the one before; the first carries none.
 * I3. `entry_hash` is the digest of the entry's canonical bytes, sequence, tenant and previous hash among them. So the
 *     hash of the last entry commits to every byte of every entry before it.
 */
import type { AuditEntry } from "@baton/contract/messages";
import { entryBytes } from "./canonical/canonical.ts";
import type { Digest } from "./digest.ts";

/** The end of a tenant's chain. Read and written in the appending transaction; otherwise two entries get one sequence. */
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
 * Gives each entry its position, in order. Copies the entries. Throws when one belongs to another tenant, is already in a
 * chain, or has no canonical form: all are mistakes of the caller.
 */
export function chainEntries(head: ChainHead, entries: readonly AuditEntry[], digest: Digest): Chained {
  const chained: AuditEntry[] = [];
  let last = head;
  for (const entry of entries) {
    requireUnchained(head, entry);
    const placed: AuditEntry = { ...entry, sequence: last.sequence + 1n };
    if (last.entryHash !== undefined) placed.previousHash = last.entryHash;
    placed.entryHash = digest(entryBytes(placed));
    chained.push(placed);
    last = { tenantId: head.tenantId, sequence: placed.sequence, entryHash: placed.entryHash };
  }
  return { entries: chained, head: last };
}

export function requireUnchained({ tenantId }: ChainHead, entry: AuditEntry): void {
  const { auditId } = entry;
  if (entry.tenantId !== tenantId) {
    throw new RangeError(
      `entry ${auditId} of tenant "${entry.tenantId}" is not for the record of "${tenantId}"`,
    );
  }
  if (entry.sequence !== 0n || entry.previousHash !== undefined || entry.entryHash !== undefined) {
    throw new RangeError(`entry ${auditId} is already in a chain`);
  }
}
