/**
 * The kind of a fault depends on later entries: a missing entry may follow later, a forged one may precede its original. A
 * suspicion is kept while the rest of the record is read, in constant memory.
 */
import type { ChainHead } from "../chain.ts";
import { sameHash } from "../digest.ts";
import type { Unlinked } from "./chain-position.ts";
import type { EntryFrame } from "./entry-frame.ts";
import type { Fault } from "./fault.ts";

export interface Suspicion {
  readonly fault: Fault | Unlinked;
  /** The chain before the entry. */
  readonly head: ChainHead;
  /** Whether a landmark confirms the head. */
  readonly headVouchedFor: boolean;
  /** The hash that the entry states. */
  readonly entryHash: Uint8Array | undefined;
}

/** Updates the suspicion by a later entry. */
export function observe(suspicion: Suspicion, later: EntryFrame): Suspicion {
  const { fault, head } = suspicion;
  const { sequence } = fault;
  if (fault.kind === "unlinked") return { ...suspicion, fault: judgeByNext(suspicion, later) };
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

/** Of two entries that do not fit, the one that the next entry links to is right. */
function judgeByNext(suspicion: Suspicion, next: EntryFrame): Fault {
  const { head, entryHash, fault } = suspicion;
  if (next.sequence === fault.sequence && sameHash(next.previousHash, head.entryHash)) {
    return twin(fault.sequence);
  }
  return sameHash(next.previousHash, entryHash) ? conclude(suspicion) : rewritten(fault.sequence);
}

/**
 * The fault at the end of the record. A changed entry with a recomputed hash keeps its link to the previous one, so a
 * broken link speaks against the previous entry, unless that is confirmed.
 */
export function conclude({ fault, head, headVouchedFor }: Suspicion): Fault {
  if (fault.kind !== "unlinked") return fault;
  return rewritten(headVouchedFor ? fault.sequence : head.sequence);
}

function rewritten(sequence: bigint): Fault {
  const problem = `entry ${sequence} was rewritten: it does not fit the entries around it`;
  return { kind: "changed", sequence, problem };
}

function twin(sequence: bigint): Fault {
  return {
    kind: "inserted",
    sequence,
    problem: `there are two entries ${sequence}, and the first was added`,
  };
}
