/**
 * A short proof that the record extends that of an earlier checkpoint. It lists the subtrees of the old tree and those that
 * were added, so that both roots can be computed from the same hashes.
 */
import { type Digest, sameHash } from "../digest.ts";
import { hashRange, type LeafRange, type NodeHashes } from "./node-hashes.ts";
import { hashNode, hashRoot, leftSize } from "./tree-hash.ts";

/** The innermost subtree first: the order in which `rebuild` takes them. */
export function consistencyRanges(oldSize: bigint, newSize: bigint): LeafRange[] {
  if (oldSize < 0n || oldSize > newSize) {
    throw new RangeError(`a tree of ${newSize} leaves does not contain one of ${oldSize}`);
  }
  if (oldSize === 0n || oldSize === newSize) return [];
  return rangesWithin(0n, oldSize, newSize);
}

/** `kept` and `size` count leaves from `start` on; the subtree has `size` leaves, of which the old tree had `kept`. */
function rangesWithin(start: bigint, kept: bigint, size: bigint): LeafRange[] {
  if (kept === size) return [{ start, size }];
  const left = leftSize(size);
  return kept <= left
    ? [...rangesWithin(start, kept, left), { start: start + left, size: size - left }]
    : [...rangesWithin(start + left, kept - left, size - left), { start, size: left }];
}

export function consistencyProof(
  oldSize: bigint,
  newSize: bigint,
  hashAt: NodeHashes,
  digest: Digest,
): Uint8Array[] {
  return consistencyRanges(oldSize, newSize).map((range) => hashRange(range, hashAt, digest));
}

interface ConsistencyClaim {
  readonly oldSize: bigint;
  readonly oldRoot: Uint8Array;
  readonly newSize: bigint;
  readonly newRoot: Uint8Array;
  readonly hashes: readonly Uint8Array[];
}

/** Whether the newer tree extends the older one. Never throws. */
export function verifyConsistency(claim: ConsistencyClaim, digest: Digest): boolean {
  const { oldSize, oldRoot, newSize, newRoot, hashes } = claim;
  if (oldSize < 0n || oldSize > newSize || newSize >= 1n << 63n) return false;
  if ([oldRoot, newRoot, ...hashes].some((hash) => hash.length !== 32)) return false;
  if (consistencyRanges(oldSize, newSize).length !== hashes.length) return false;
  if (oldSize === newSize) return sameHash(oldRoot, newRoot);
  if (oldSize === 0n) return sameHash(oldRoot, hashRoot(0n, undefined, digest));
  const tops = rebuild(oldSize, newSize, hashes.values(), digest);
  return (
    sameHash(hashRoot(oldSize, tops.old, digest), oldRoot) &&
    sameHash(hashRoot(newSize, tops.new, digest), newRoot)
  );
}

/** Computes the tops of both trees in the order of `rangesWithin`. */
function rebuild(
  kept: bigint,
  size: bigint,
  hashes: Iterator<Uint8Array>,
  digest: Digest,
): { old: Uint8Array; new: Uint8Array } {
  if (kept === size) {
    const shared = take(hashes);
    return { old: shared, new: shared };
  }
  const left = leftSize(size);
  if (kept <= left) {
    const inner = rebuild(kept, left, hashes, digest);
    return { old: inner.old, new: hashNode(inner.new, take(hashes), digest) };
  }
  const inner = rebuild(kept - left, size - left, hashes, digest);
  const shared = take(hashes);
  return { old: hashNode(shared, inner.old, digest), new: hashNode(shared, inner.new, digest) };
}

function take(hashes: Iterator<Uint8Array>): Uint8Array {
  const { value } = hashes.next();
  if (value === undefined) throw new RangeError("the proof is shorter than its ranges");
  return value;
}
