import type { Digest } from "../digest.ts";
import { foldPeaks } from "./frontier.ts";
import { perfectNodes, type TreeNode } from "./shape.ts";
import { hashNode } from "./tree-hash.ts";

/** Where the hashes of full nodes come from: a store that kept them, or the entries themselves. */
export type NodeHashes = (node: TreeNode) => Uint8Array;

/** Computes each node from the entries below it: for records small enough to be read whole. */
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

/** The full nodes a list of subtrees is computed from. Who reads them asynchronously asks for these beforehand. */
export function nodesIn(ranges: readonly LeafRange[]): TreeNode[] {
  return ranges.flatMap(({ start, size }) => perfectNodes(start, size));
}

export function hashRange({ start, size }: LeafRange, hashAt: NodeHashes, digest: Digest): Uint8Array {
  const top = foldPeaks(perfectNodes(start, size).map(hashAt), digest);
  if (top === undefined) throw new RangeError("a range without leaves has no hash");
  return top;
}
