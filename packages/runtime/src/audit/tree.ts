/** The stored nodes of the tree over a record, and those computed on demand. */
import {
  consistencyRanges,
  type Frontier,
  inclusionRanges,
  type NodeHashes,
  nodesFromEntries,
  nodesIn,
  type TreeNode,
} from "@baton/kernel/audit";
import type { Store } from "../ports/store.ts";
import { sha256 } from "./signing-key.ts";

/** Nodes from this level on are stored: two per 1,024 entries. A proof reads entries of at most two such ranges. */
export const storedLevel = 10;
const rangeSize = 1n << BigInt(storedLevel);
const hashLength = 32;

export type RecordReader = Pick<Store, "auditRecord" | "treeNodes">;

export function joinPeaks({ peaks }: Frontier): Uint8Array {
  return Buffer.concat(peaks);
}

export function splitPeaks(size: bigint, bytes: Uint8Array): Frontier {
  const peaks: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += hashLength) peaks.push(bytes.subarray(at, at + hashLength));
  return { size, peaks };
}

/** Hashes of the nodes that a proof needs. */
export async function nodesFor(
  reader: RecordReader,
  tenantId: string,
  nodes: readonly TreeNode[],
): Promise<NodeHashes> {
  const high = nodes.filter(({ level }) => level >= storedLevel);
  const kept = await reader.treeNodes(tenantId, high);
  const known = new Map(high.map((node, at) => [nameOf(node), kept[at]]));
  const leaves = new Map<bigint, Uint8Array>();
  for (const { level, index } of nodes) {
    if (level >= storedLevel) continue;
    const start = index << BigInt(level);
    await readLeaves(reader, tenantId, start, start + (1n << BigInt(level)), leaves);
  }
  const fromLeaves = nodesFromEntries((leafIndex) => missing(leaves.get(leafIndex), leafIndex), sha256);
  return (node) => known.get(nameOf(node)) ?? fromLeaves(node);
}

/** Reads whole ranges: later nodes of a proof are mostly adjacent. */
async function readLeaves(
  reader: RecordReader,
  tenantId: string,
  start: bigint,
  end: bigint,
  leaves: Map<bigint, Uint8Array>,
): Promise<void> {
  if (leaves.has(start) && leaves.has(end - 1n)) return;
  for (let after = (start / rangeSize) * rangeSize; after < end; ) {
    const rows = await reader.auditRecord(tenantId, after, Number(rangeSize));
    if (rows.length === 0) return;
    for (const { sequence, hash } of rows) leaves.set(sequence - 1n, hash);
    after = rows.at(-1)?.sequence ?? end;
  }
}

export function inclusionNodes(leafIndex: bigint, treeSize: bigint): TreeNode[] {
  return nodesIn(inclusionRanges(leafIndex, treeSize));
}

export function consistencyNodes(oldSize: bigint, newSize: bigint): TreeNode[] {
  return nodesIn(consistencyRanges(oldSize, newSize));
}

function nameOf({ level, index }: TreeNode): string {
  return `${level}/${index}`;
}

function missing(hash: Uint8Array | undefined, leafIndex: bigint): Uint8Array {
  if (hash !== undefined) return hash;
  throw new RangeError(`entry ${leafIndex + 1n} is missing`);
}
