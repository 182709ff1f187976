import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Digest } from "../digest.ts";
import { consistencyProof, verifyConsistency } from "./consistency.ts";
import { appendLeaf, emptyFrontier, type Frontier, isWellFormed, root } from "./frontier.ts";
import { inclusionProof, inclusionRanges, verifyInclusion } from "./inclusion.ts";
import { nodesFromEntries, nodesIn } from "./node-hashes.ts";
import type { TreeNode } from "./tree-hash.ts";

const digest: Digest = (bytes) => createHash("sha256").update(bytes).digest();
const sha256 = (...parts: Uint8Array[]) => digest(Buffer.concat(parts));
const entryHash = (index: number | bigint) => digest(Buffer.from(`entry ${index}`));
const largest = 70;
const sizes = Array.from({ length: largest + 1 }, (_, size) => size);
const computed = nodesFromEntries(entryHash, digest);
const nodes = new Map<string, Uint8Array>();
/** As a store does, each node is computed once. */
function hashAt(node: TreeNode): Uint8Array {
  const key = `${node.level}/${node.index}`;
  const hash = nodes.get(key) ?? computed(node);
  nodes.set(key, hash);
  return hash;
}

function treeOf(hashes: readonly Uint8Array[]): Frontier {
  return hashes.reduce((frontier: Frontier, hash) => appendLeaf(frontier, hash, digest), emptyFrontier);
}

const frontiers = sizes.map((size) => treeOf(sizes.slice(0, size).map(entryHash)));
const rootOf = (size: number | bigint) => root(frontiers[Number(size)] as Frontier, digest);

/** The tree as one would say it in a sentence, to hold against the one that grows leaf by leaf. */
function naiveTop(hashes: readonly Uint8Array[]): Uint8Array {
  if (hashes.length === 1) return hashes[0] as Uint8Array;
  let left = 1;
  while (left * 2 < hashes.length) left *= 2;
  return sha256(Buffer.from([1]), naiveTop(hashes.slice(0, left)), naiveTop(hashes.slice(left)));
}

describe("the tree over the entries", () => {
  it("[OBS-04] grown leaf by leaf is the tree defined from the top", () => {
    for (const size of sizes.slice(1)) {
      const count = Buffer.alloc(8);
      count.writeBigUInt64BE(BigInt(size));
      const expected = sha256(Buffer.from([2]), count, naiveTop(sizes.slice(0, size).map(entryHash)));
      expect(Buffer.from(rootOf(size)).equals(expected), `size ${size}`).toBe(true);
    }
  });

  it("[OBS-04] keeps as many hashes as its size has one-bits", () => {
    expect(frontiers.map(({ peaks }) => peaks.length).slice(0, 9)).toEqual([0, 1, 1, 2, 1, 2, 2, 3, 1]);
    expect(frontiers.every(isWellFormed)).toBe(true);
    expect(isWellFormed({ size: 3n, peaks: [entryHash(1)] })).toBe(false);
    expect(isWellFormed({ size: -1n, peaks: [] })).toBe(false);
  });

  it("[OBS-04] takes no hash of another length", () => {
    const tree = treeOf([entryHash(1)]);
    expect(() => appendLeaf(tree, new Uint8Array(31), digest)).toThrow("a hash has 32 bytes, not 31");
  });

  it("[OBS-08] reports every full node to a store, which can build proofs without entries", () => {
    const kept = new Map<string, Uint8Array>();
    const key = ({ level, index }: TreeNode) => `${level}/${index}`;
    let frontier = emptyFrontier;
    for (const index of sizes.slice(0, largest)) {
      frontier = appendLeaf(frontier, entryHash(index), digest, (node, hash) => kept.set(key(node), hash));
    }
    const fromStore = (node: TreeNode) => kept.get(key(node)) as Uint8Array;
    for (let index = 0n; index < largest; index++) {
      const expected = inclusionProof(index, BigInt(largest), hashAt, digest);
      expect(inclusionProof(index, BigInt(largest), fromStore, digest)).toEqual(expected);
    }
  });
});

describe("a proof of inclusion", () => {
  const position = fc
    .integer({ min: 1, max: largest })
    .chain((size) => fc.record({ size: fc.constant(size), index: fc.nat(size - 1) }));
  const claimOf = (index: number, size: number) => ({
    entryHash: entryHash(index),
    leafIndex: BigInt(index),
    treeSize: BigInt(size),
    hashes: inclusionProof(BigInt(index), BigInt(size), hashAt, digest),
    rootHash: rootOf(size),
  });

  it("[OBS-04] verifies for every entry of every tree", () => {
    for (const size of sizes) {
      for (const index of sizes.slice(0, size)) {
        expect(verifyInclusion(claimOf(index, size), digest), `${index} of ${size}`).toBe(true);
      }
    }
  });

  it("[OBS-04] fails for any other entry, position, size or root", () => {
    fc.assert(
      fc.property(position, fc.nat(largest), ({ index, size }, other) => {
        const claim = claimOf(index, size);
        const holds = (change: object) => verifyInclusion({ ...claim, ...change }, digest);
        if (other !== index) {
          expect(holds({ entryHash: entryHash(other) })).toBe(false);
          expect(holds({ leafIndex: BigInt(other) })).toBe(false);
        }
        if (other !== size) {
          expect(holds({ treeSize: BigInt(other) })).toBe(false);
          expect(holds({ rootHash: rootOf(other) })).toBe(false);
          expect(holds({ treeSize: BigInt(other), rootHash: rootOf(other) })).toBe(false);
        }
      }),
    );
  });

  it("[OBS-04] fails with a changed, missing, further or misshapen hash", () => {
    fc.assert(
      fc.property(position, fc.nat(), fc.nat(255), ({ index, size }, at, bit) => {
        const claim = claimOf(index, size);
        const verify = (hashes: Uint8Array[]) => verifyInclusion({ ...claim, hashes }, digest);
        expect(verify([...claim.hashes, entryHash(0)])).toBe(false);
        if (claim.hashes.length === 0) return;
        const which = at % claim.hashes.length;
        const flipped = Uint8Array.from(claim.hashes[which] as Uint8Array);
        flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        expect(verify(claim.hashes.with(which, flipped))).toBe(false);
        expect(verify(claim.hashes.toSpliced(which, 1))).toBe(false);
        expect(verify(claim.hashes.with(which, flipped.subarray(1)))).toBe(false);
      }),
    );
    expect(verifyInclusion({ ...claimOf(0, 1), leafIndex: -1n }, digest)).toBe(false);
  });

  it("[OBS-04] takes twenty hashes in a million, and says which nodes they need", () => {
    expect(inclusionRanges(123_456n, 1_000_000n)).toHaveLength(20);
    expect(nodesIn(inclusionRanges(123_456n, 1_000_000n)).length).toBeLessThan(40);
    expect(() => inclusionRanges(5n, 5n)).toThrow("a tree of 5 leaves has no leaf 5");
  });
});

describe("a proof of consistency", () => {
  const claimOf = (oldSize: number, newSize: number) => ({
    oldSize: BigInt(oldSize),
    oldRoot: rootOf(oldSize),
    newSize: BigInt(newSize),
    newRoot: rootOf(newSize),
    hashes: consistencyProof(BigInt(oldSize), BigInt(newSize), hashAt, digest),
  });
  const pair = fc
    .tuple(fc.integer({ min: 1, max: largest }), fc.integer({ min: 1, max: largest }))
    .map(([one, other]) => [Math.min(one, other), Math.max(one, other)] as const);

  it("[OBS-04] verifies for every pair of sizes", () => {
    for (const newSize of sizes) {
      for (const oldSize of sizes.slice(0, newSize + 1)) {
        expect(verifyConsistency(claimOf(oldSize, newSize), digest), `${oldSize} to ${newSize}`).toBe(true);
      }
    }
  });

  it("[OBS-04] fails when history was changed", () => {
    fc.assert(
      fc.property(pair, fc.nat(), ([oldSize, newSize], at) => {
        const victim = BigInt(at % oldSize);
        const tampered = (index: bigint) => entryHash(index === victim ? -1n : index);
        const newHashes = sizes.slice(0, newSize).map((index) => tampered(BigInt(index)));
        const newRoot = root(treeOf(newHashes), digest);
        const forged = nodesFromEntries(tampered, digest);
        const hashes = consistencyProof(BigInt(oldSize), BigInt(newSize), forged, digest);
        const claim = claimOf(oldSize, newSize);
        expect(verifyConsistency({ ...claim, newRoot, hashes }, digest)).toBe(false);
        expect(verifyConsistency({ ...claim, newRoot }, digest)).toBe(false);
      }),
    );
  });

  it("[OBS-04] fails for other sizes, other roots and other hashes", () => {
    fc.assert(
      fc.property(pair, fc.nat(largest), fc.nat(), ([oldSize, newSize], other, at) => {
        const claim = claimOf(oldSize, newSize);
        const holds = (change: object) => verifyConsistency({ ...claim, ...change }, digest);
        if (other !== oldSize) expect(holds({ oldSize: BigInt(other) })).toBe(false);
        if (other !== newSize) expect(holds({ newSize: BigInt(other) })).toBe(false);
        if (other !== oldSize) expect(holds({ oldRoot: rootOf(other) })).toBe(false);
        if (other !== newSize) expect(holds({ newRoot: rootOf(other) })).toBe(false);
        expect(holds({ hashes: [...claim.hashes, entryHash(0)] })).toBe(false);
        if (claim.hashes.length === 0) return;
        const which = at % claim.hashes.length;
        expect(holds({ hashes: claim.hashes.with(which, entryHash(-2)) })).toBe(false);
        expect(holds({ hashes: claim.hashes.toSpliced(which, 1) })).toBe(false);
      }),
    );
    expect(() => consistencyProof(3n, 2n, hashAt, digest)).toThrow("does not contain one of 3");
  });
});
