import type { Digest } from "../digest.ts";
import { hashNode, hashRoot, type TreeNode } from "./tree-hash.ts";

/**
 * The state needed to extend a tree: the tops of its perfect subtrees, from left to right. Their number is that of the
 * one-bits of its size, at most twenty for a million entries.
 */
export interface Frontier {
  readonly size: bigint;
  readonly peaks: readonly Uint8Array[];
}

export const emptyFrontier: Frontier = { size: 0n, peaks: [] };

/**
 * Adds the next entry. `onNode` receives every node that became full, the leaf first: a store that keeps them can build
 * any proof from a logarithmic number of reads, even after retention removed the entries below (OBS-08).
 */
export function appendLeaf(
  frontier: Frontier,
  entryHash: Uint8Array,
  digest: Digest,
  onNode?: (node: TreeNode, hash: Uint8Array) => void,
): Frontier {
  const peaks = frontier.peaks.slice();
  let hash = entryHash;
  let index = frontier.size;
  onNode?.({ level: 0, index }, hash);
  // Like a binary carry: two subtrees of one size become one of the next.
  for (let level = 1; index & 1n; level++) {
    const left = peaks.pop();
    if (left === undefined)
      throw new RangeError(`a tree of ${frontier.size} leaves has more peaks than given`);
    hash = hashNode(left, hash, digest);
    index >>= 1n;
    onNode?.({ level, index }, hash);
  }
  peaks.push(hash);
  return { size: frontier.size + 1n, peaks };
}

/** The root that a checkpoint commits to. */
export function root(frontier: Frontier, digest: Digest): Uint8Array {
  return hashRoot(frontier.size, foldPeaks(frontier.peaks, digest), digest);
}

/** The top of a tree from the tops of its perfect subtrees: the smallest two, on the right, are joined first. */
export function foldPeaks(peaks: readonly Uint8Array[], digest: Digest): Uint8Array | undefined {
  return peaks.length < 2 ? peaks[0] : peaks.reduceRight((right, left) => hashNode(left, right, digest));
}

/** Whether the number of peaks matches the size; an untrusted frontier may be wrong. */
export function isWellFormed({ size, peaks }: Frontier): boolean {
  const wanted = size < 0n ? -1 : size.toString(2).replaceAll("0", "").length;
  return peaks.length === wanted && peaks.every((peak) => peak.length === 32);
}
