import type { AuditEntry } from "@baton/contract";
import type { Redactor } from "../redaction/redactor.ts";
import { redactedEntryBytes, withHash } from "./canonical.ts";
import { type ChainHead, refuseMisplaced } from "./chain.ts";
import type { Digest } from "./digest.ts";

/** An entry with its place, ready to be stored. */
export interface Sealed {
  readonly sequence: bigint;
  readonly hash: Uint8Array;
  /** The entry in protobuf's binary form, without what must not be in it. */
  readonly bytes: Uint8Array;
}

export interface SealedEntries {
  /** In the order of the entries. */
  readonly sealed: readonly Sealed[];
  readonly head: ChainHead;
}

export type Sealer = (head: ChainHead, entries: readonly AuditEntry[]) => SealedEntries;

/**
 * Redacts, chains and writes entries in one go: what `redactMessage`, `chainEntries` and protobuf do one after another. It
 * is on the way of every decision, so the entries are not copied: they belong to the sealer from then on, which writes
 * their places into them. Secrets go before the hash: what is chained stays for ever.
 */
export function createSealer(redactor: Redactor, digest: Digest): Sealer {
  const canonicalBytes = redactedEntryBytes(redactor);
  return (head, entries) => {
    const sealed: Sealed[] = [];
    let last = head;
    for (const entry of entries) {
      refuseMisplaced(head, entry);
      const sequence = last.sequence + 1n;
      entry.sequence = sequence;
      if (last.entryHash !== undefined) entry.previousHash = last.entryHash;
      const canonical = canonicalBytes(entry);
      const hash = digest(canonical);
      sealed.push({ sequence, hash, bytes: withHash(canonical, hash) });
      last = { tenantId: head.tenantId, sequence, entryHash: hash };
    }
    return { sealed, head: last };
  };
}
