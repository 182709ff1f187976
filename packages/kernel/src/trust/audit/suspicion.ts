/**
 * What one bad entry looks like depends on what comes after it: a missing entry may turn up later, a forged one may
 * stand beside the one it was made from. A suspicion is held while the rest of the record goes by, and takes constant
 * memory.
 */
import type { ChainHead } from "./chain.ts";
import { sameHash } from "./digest.ts";
import type { EntryFrame } from "./entry-frame.ts";
import type { Fault } from "./fault.ts";
import type { Unlinked } from "./place-entry.ts";

export interface Suspicion {
  readonly fault: Fault | Unlinked;
  /** The chain before the entry. */
  readonly head: ChainHead;
  /** Whether something kept elsewhere says that the head is right. */
  readonly headVouchedFor: boolean;
  /** What the entry says its hash is. */
  readonly entryHash: Uint8Array | undefined;
}

/** Takes in what an entry further on tells about the suspicion. */
export function hear(suspicion: Suspicion, later: EntryFrame): Suspicion {
  const { fault, head } = suspicion;
  const { sequence } = fault;
  if (fault.kind === "unlinked") return { ...suspicion, fault: hearNeighbour(suspicion, later) };
  if (later.sequence !== sequence || later.tenantId !== head.tenantId) return suspicion;
  if (fault.kind === "removed") {
    const problem = `entry ${sequence} stands behind entries that came after it`;
    return { ...suspicion, fault: { kind: "reordered", sequence, problem } };
  }
  if (fault.kind === "changed" && sameHash(later.previousHash, head.entryHash)) {
    return { ...suspicion, fault: twin(sequence) };
  }
  return suspicion;
}

/** Of two entries that do not fit, the one that the next entry remembers is right. */
function hearNeighbour(suspicion: Suspicion, next: EntryFrame): Fault {
  const { head, entryHash, fault } = suspicion;
  if (next.sequence === fault.sequence && sameHash(next.previousHash, head.entryHash)) {
    return twin(fault.sequence);
  }
  return sameHash(next.previousHash, entryHash) ? conclude(suspicion) : rewritten(fault.sequence);
}

/**
 * The fault when nothing more is heard. Who changes an entry and computes its hash anew keeps its link to the one
 * before, so a broken link speaks against the entry before, unless that is known to be right.
 */
export function conclude({ fault, head, headVouchedFor }: Suspicion): Fault {
  if (fault.kind !== "unlinked") return fault;
  return rewritten(headVouchedFor ? fault.sequence : head.sequence);
}

function rewritten(sequence: bigint): Fault {
  const problem = `entry ${sequence} was written anew: it does not fit the entries around it`;
  return { kind: "changed", sequence, problem };
}

function twin(sequence: bigint): Fault {
  return {
    kind: "inserted",
    sequence,
    problem: `there are two entries ${sequence}, and the first was added`,
  };
}
