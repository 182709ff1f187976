/**
 * The hashes of the tree over a tenant's entries.
 * T1. The leaf of an entry is its hash. Entries (canonical.ts, C1), nodes and roots are hashed with different prefixes, so
 *     that none can pass for another.
 * T2. A tree of n leaves has on its left the largest perfect tree that leaves at least one leaf for the right: the shape
 *     of certificate transparency.
 * T3. The root also takes in the number of leaves, so that a proof made for one size says nothing about another
 *     (docs/decisions/0013).
 */
import type { Digest } from "../digest.ts";

const hashBytes = 32;
/** Reused for every hash to save allocations; a digest does not keep its input. */
const nodeBytes = tagged(1, 2 * hashBytes);
const rootBytes = tagged(2, 8 + hashBytes);
const rootView = new DataView(rootBytes.buffer);

export function hashNode(left: Uint8Array, right: Uint8Array, digest: Digest): Uint8Array {
  put(nodeBytes, left, 1);
  put(nodeBytes, right, 1 + hashBytes);
  return digest(nodeBytes);
}

/** The root of a tree whose topmost node is `top`; an empty tree has none. */
export function hashRoot(size: bigint, top: Uint8Array | undefined, digest: Digest): Uint8Array {
  rootView.setBigUint64(1, size);
  if (top === undefined) return digest(rootBytes.subarray(0, 9));
  put(rootBytes, top, 9);
  return digest(rootBytes);
}

/** A hash of another length would leave part of the previous one in the buffer. */
function put(bytes: Uint8Array, hash: Uint8Array, offset: number): void {
  if (hash.length !== hashBytes) throw new RangeError(`a hash has ${hashBytes} bytes, not ${hash.length}`);
  bytes.set(hash, offset);
}

function tagged(tag: number, length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(1 + length);
  bytes[0] = tag;
  return bytes;
}

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
