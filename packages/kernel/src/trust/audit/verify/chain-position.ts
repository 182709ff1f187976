import { UnknownField } from "../canonical/canonical.ts";
import type { ChainHead } from "../chain.ts";
import { type Digest, sameHash } from "../digest.ts";
import type { EntryFrame } from "./entry-frame.ts";
import type { Fault } from "./fault.ts";

/** An entry with a right hash and sequence, but another `previous_hash`. */
export interface Unlinked {
  readonly kind: "unlinked";
  readonly sequence: bigint;
}

/**
 * The fault of an entry as the next one of a chain, or undefined. The hash is checked before the position: a sequence that
 * was tampered with is a change, and no evidence of missing entries. Hashes the entry once.
 */
export function checkPosition(
  head: ChainHead,
  entry: EntryFrame,
  digest: Digest,
): Fault | Unlinked | undefined {
  const sequence = head.sequence + 1n;
  if (entry.tenantId !== head.tenantId) {
    const problem = `at ${sequence} stands an entry of tenant "${entry.tenantId}"`;
    return { kind: "foreign-tenant", sequence, problem };
  }
  const misread = readEntry(entry, sequence, digest);
  if (misread) return misread;
  if (entry.sequence > sequence) return removed(sequence, entry.sequence);
  if (entry.sequence < sequence) return inserted(head, entry.sequence);
  return sameHash(entry.previousHash, head.entryHash) ? undefined : { kind: "unlinked", sequence };
}

/** Checks the entry against its hash. */
function readEntry(entry: EntryFrame, sequence: bigint, digest: Digest): Fault | undefined {
  try {
    const { entryHash } = entry;
    if (entryHash !== undefined && sameHash(digest(entry.hashed()), entryHash)) return undefined;
    return { kind: "changed", sequence, problem: `entry ${sequence} is not what its hash was made of` };
  } catch (error) {
    if (!(error instanceof UnknownField)) throw error;
    const problem = `entry ${sequence} has field ${error.field}, which this version does not know; a newer one can check it`;
    return { kind: "unreadable", sequence, problem };
  }
}

function removed(expected: bigint, found: bigint): Fault {
  const which = found === expected + 1n ? `entry ${expected} is` : `entries ${expected} to ${found - 1n} are`;
  return { kind: "removed", sequence: expected, problem: `${which} missing before entry ${found}` };
}

function inserted(head: ChainHead, found: bigint): Fault {
  const problem = `after entry ${head.sequence} stands another that says it is ${found}`;
  return { kind: "inserted", sequence: found < 1n ? head.sequence + 1n : found, problem };
}
