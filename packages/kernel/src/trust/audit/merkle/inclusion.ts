/**
 * A short proof that an entry is in the record (A §5.2): the sibling of each node on the path from its leaf to the top.
 * Twenty hashes for a million entries.
 */
import { type Digest, sameHash } from "../digest.ts";
import { hashRange, type LeafRange, type NodeHashes } from "./node-hashes.ts";
import { hashNode, hashRoot, leftSize } from "./tree-hash.ts";

/** The siblings from the leaf to the top. */
export function inclusionRanges(leafIndex: bigint, treeSize: bigint): LeafRange[] {
  if (leafIndex < 0n || leafIndex >= treeSize) {
    throw new RangeError(`a tree of ${treeSize} leaves has no leaf ${leafIndex}`);
  }
  const siblings: LeafRange[] = [];
  let start = 0n;
  for (let size = treeSize; size > 1n; ) {
    const left = leftSize(size);
    const goesLeft = leafIndex - start < left;
    siblings.push(goesLeft ? { start: start + left, size: size - left } : { start, size: left });
    if (!goesLeft) start += left;
    size = goesLeft ? left : size - left;
  }
  return siblings.reverse();
}

export function inclusionProof(
  leafIndex: bigint,
  treeSize: bigint,
  hashAt: NodeHashes,
  digest: Digest,
): Uint8Array[] {
  return inclusionRanges(leafIndex, treeSize).map((range) => hashRange(range, hashAt, digest));
}

interface InclusionClaim {
  readonly entryHash: Uint8Array;
  readonly leafIndex: bigint;
  readonly treeSize: bigint;
  readonly hashes: readonly Uint8Array[];
  readonly rootHash: Uint8Array;
}

/**
 * Whether the hashes lead from the entry, at that index of a tree of that size, to the root. The caller checks the hash of
 * the entry, as `verifyEntryProof` does. Never throws.
 */
export function verifyInclusion(claim: InclusionClaim, digest: Digest): boolean {
  const { entryHash, leafIndex, treeSize, hashes, rootHash } = claim;
  if (leafIndex < 0n || leafIndex >= treeSize || treeSize >= 1n << 63n) return false;
  if ([entryHash, rootHash, ...hashes].some((hash) => hash.length !== 32)) return false;
  const siblings = inclusionRanges(leafIndex, treeSize);
  if (siblings.length !== hashes.length) return false;
  let hash = entryHash;
  for (const [step, { start }] of siblings.entries()) {
    const sibling = hashes[step] as Uint8Array;
    hash = start > leafIndex ? hashNode(hash, sibling, digest) : hashNode(sibling, hash, digest);
  }
  return sameHash(hashRoot(treeSize, hash, digest), rootHash);
}
