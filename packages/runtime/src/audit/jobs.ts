/** Long-running work on a record. Each job is a function of a store and plain data, so that a thread can execute it. */
import type { AuditCheckpoint } from "@baton/contract/messages";
import { type ChainHead, consistencyProof, inclusionProof } from "@baton/kernel/audit";
import { type Appended, appendFiles, type CatchUp } from "./audit-files.ts";
import { sha256 } from "./signing-key.ts";
import { consistencyNodes, inclusionNodes, nodesFor } from "./tree.ts";
import {
  type Growth,
  growTree,
  type Reached,
  type RecordStore,
  type RecordVerdict,
  type Trust,
  verifyRecord,
} from "./walk-record.ts";

export type { Appended, CatchUp, Growth, Reached, RecordStore, RecordVerdict, Trust };

export interface Proof {
  readonly hashes: readonly Uint8Array[];
}

/** Jobs with their parameters and results. */
export interface Jobs {
  /** The last sequence of every tenant's record. */
  ends(): Promise<ReadonlyMap<string, bigint>>;
  /** The last sequence and hash of every record. */
  heads(): Promise<readonly ChainHead[]>;
  grow(from: Reached, maxEntries: number): Promise<Growth>;
  verify(tenantId: string, trust: Trust): Promise<RecordVerdict>;
  /** Inclusion proofs of entries in the tree of a size. */
  include(tenantId: string, sequences: readonly bigint[], treeSize: bigint): Promise<readonly Proof[]>;
  /** Consistency proof from an earlier checkpoint to a tree size. */
  leadBack(tenantId: string, kept: AuditCheckpoint, treeSize: bigint): Promise<Proof>;
  /** Appends new entries to the files of a folder. */
  append(catchUp: CatchUp): Promise<Appended>;
}

export type JobName = keyof Jobs;

export function jobsOn(store: RecordStore): Jobs {
  return {
    async ends() {
      const heads = await store.heads();
      return new Map(heads.map(({ tenantId, auditSequence }) => [tenantId, auditSequence]));
    },
    async heads() {
      const heads = await store.heads();
      return heads.map(({ tenantId, auditSequence: sequence, auditHash: entryHash }) => ({
        ...{ tenantId, sequence, entryHash },
      }));
    },
    grow: (from, maxEntries) => growTree(store, from, maxEntries),
    verify: (tenantId, trust) => verifyRecord(store, tenantId, trust),
    async include(tenantId, sequences, treeSize) {
      const nodes = sequences.flatMap((sequence) => inclusionNodes(sequence - 1n, treeSize));
      const hashAt = await nodesFor(store, tenantId, nodes);
      return sequences.map((sequence) => ({
        hashes: inclusionProof(sequence - 1n, treeSize, hashAt, sha256),
      }));
    },
    async leadBack(tenantId, { sequence }, treeSize) {
      const hashAt = await nodesFor(store, tenantId, consistencyNodes(sequence, treeSize));
      return { hashes: consistencyProof(sequence, treeSize, hashAt, sha256) };
    },
    append: (catchUp) => appendFiles(store, catchUp),
  };
}
