/** What takes long with a record. Each is a function of a store and of plain data, so that a thread can do it. */
import type { AuditCheckpoint } from "@baton/contract/messages";
import { type ChainHead, consistencyProof, inclusionProof } from "@baton/kernel/audit";
import { appendFiles, type CatchUp, type Caught } from "./audit-files.ts";
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

export type { CatchUp, Caught, Growth, Reached, RecordStore, RecordVerdict, Trust };

export interface Proof {
  readonly hashes: readonly Uint8Array[];
}

/** What was asked, and what comes back. */
export interface Jobs {
  /** Where the record of every tenant ends. */
  ends(): Promise<ReadonlyMap<string, bigint>>;
  /** The same, with the hash of the last entry. */
  heads(): Promise<readonly ChainHead[]>;
  grow(from: Reached, mostEntries: number): Promise<Growth>;
  verify(tenantId: string, trust: Trust): Promise<RecordVerdict>;
  /** Leads from each of these entries to the tree of so many entries. */
  include(tenantId: string, sequences: readonly bigint[], treeSize: bigint): Promise<readonly Proof[]>;
  /** Leads from an earlier checkpoint to the tree of so many entries. */
  leadBack(tenantId: string, kept: AuditCheckpoint, treeSize: bigint): Promise<Proof>;
  /** Brings the files of a folder up to the record. */
  append(catchUp: CatchUp): Promise<Caught>;
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
    grow: (from, mostEntries) => growTree(store, from, mostEntries),
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
