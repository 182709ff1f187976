/** A perfect subtree: it covers the 2^level leaves from `index` × 2^level on. A node never changes once it is full. */
export interface TreeNode {
  readonly level: number;
  readonly index: bigint;
}

/** Leaves under the left child of a tree of `size` leaves: the largest power of two below the size. */
export function leftSize(size: bigint): bigint {
  return 1n << BigInt((size - 1n).toString(2).length - 1);
}

/** The perfect subtrees that make up the leaves from `start` on, from left to right. `start` is where a subtree begins. */
export function perfectNodes(start: bigint, size: bigint): TreeNode[] {
  const nodes: TreeNode[] = [];
  let from = start;
  for (let rest = size; rest > 0n; ) {
    const level = rest.toString(2).length - 1;
    nodes.push({ level, index: from >> BigInt(level) });
    from += 1n << BigInt(level);
    rest -= 1n << BigInt(level);
  }
  return nodes;
}
