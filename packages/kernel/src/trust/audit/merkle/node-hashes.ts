import type { Digest } from "../digest.ts";
import { foldPeaks } from "./frontier.ts";
import { hashNode, perfectNodes, type TreeNode } from "./tree-hash.ts";

/** The source of hashes of full nodes: a store that kept them, or the entries. */
export type NodeHashes = (node: TreeNode) => Uint8Array;

/** Computes each node from the entries below it. For small records. */
export function nodesFromEntries(entryHashAt: (leafIndex: bigint) => Uint8Array, digest: Digest): NodeHashes {
  return function hashAt({ level, index }: TreeNode): Uint8Array {
    if (level === 0) return entryHashAt(index);
    const left = hashAt({ level: level - 1, index: 2n * index });
    const right = hashAt({ level: level - 1, index: 2n * index + 1n });
    return hashNode(left, right, digest);
  };
}

/** Leaves `start` to `start + size`, which are one subtree of the whole tree, full or at its ragged right edge. */
export interface LeafRange {
  readonly start: bigint;
  readonly size: bigint;
}

/** The full nodes from which subtrees are computed, for callers that read them asynchronously beforehand. */
export function nodesIn(ranges: readonly LeafRange[]): TreeNode[] {
  return ranges.flatMap(({ start, size }) => perfectNodes(start, size));
}

export function hashRange({ start, size }: LeafRange, hashAt: NodeHashes, digest: Digest): Uint8Array {
  const top = foldPeaks(perfectNodes(start, size).map(hashAt), digest);
  if (top === undefined) throw new RangeError("a range without leaves has no hash");
  return top;
}
