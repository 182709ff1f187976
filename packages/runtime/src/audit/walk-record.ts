/** Reads a tenant's stored record, to verify it and to grow the tree over it. */
import type { AuditCheckpoint } from "@baton/contract/messages";
import {
  appendLeaf,
  type ChainHead,
  chainVerifier,
  emptyFrontier,
  type FaultKind,
  type Frontier,
  type PublicKey,
  root,
  trustKeys,
} from "@baton/kernel/audit";
import type { Store, StoredNode } from "../ports/store.ts";
import { StoreUnavailable } from "../ports/store-error.ts";
import { checkHeads } from "./check-heads.ts";
import type { SignedHead } from "./head-file.ts";
import { readCheckpoints } from "./read-checkpoints.ts";
import { checkSignature, sha256 } from "./signing-key.ts";
import { storedLevel } from "./tree.ts";

export type RecordStore = Pick<
  Store,
  "auditRecord" | "checkpoints" | "lastCheckpoint" | "treeNodes" | "heads" | "lostEntries"
>;

const pageSize = 2_048;

export interface RecordFault {
  readonly kind: FaultKind;
  readonly sequence: bigint;
  readonly problem: string;
}

/** A record was changed or cut. It is not signed any more. */
export class RecordDamaged extends Error {
  override readonly name = "RecordDamaged";
  readonly tenantId: string;
  readonly fault: RecordFault;

  constructor(tenantId: string, fault: RecordFault) {
    super(`the audit record of "${tenantId}" is damaged: ${fault.problem}`);
    this.tenantId = tenantId;
    this.fault = fault;
  }
}

/** A position in the record. */
export interface Reached {
  readonly head: ChainHead;
  readonly frontier: Frontier;
}

export interface Growth extends Reached {
  /** Complete nodes to store. */
  readonly nodes: readonly StoredNode[];
  readonly rootHash: Uint8Array;
  /** Whether more entries follow. */
  readonly more: boolean;
  /** A finding, which forbids signing. */
  readonly fault: RecordFault | undefined;
}

/** Grows the tree by up to `maxEntries` verified entries after a position. */
export async function growTree(
  store: RecordStore,
  { head: start, frontier: from }: Reached,
  maxEntries: number,
): Promise<Growth> {
  const { tenantId } = start;
  const nodes: StoredNode[] = [];
  const verifier = chainVerifier({ tenantId, digest: sha256, from: start });
  let frontier = from;
  let head = start;
  let fault: RecordFault | undefined;
  let more = true;
  for (let count = 0; count < maxEntries && more && fault === undefined; ) {
    const rows = await readPage(store, tenantId, head.sequence);
    if ("kind" in rows) {
      fault = rows;
      break;
    }
    for (const { sequence, hash, entry } of rows) {
      if (!verifier.push(entry)) break;
      // Copied, because the bytes belong to a page.
      head = { tenantId, sequence, entryHash: new Uint8Array(hash) };
      frontier = appendLeaf(frontier, new Uint8Array(hash), sha256, ({ level, index }, of) => {
        if (level >= storedLevel) nodes.push({ level, index, hash: of });
      });
      count++;
    }
    const verdict = verifier.end();
    if (!verdict.valid) fault = faultOf(verdict);
    more = rows.length > 0;
  }
  return { head, frontier, nodes, rootHash: root(frontier, sha256), more, fault };
}

export interface RecordVerdict {
  readonly valid: boolean;
  readonly entriesChecked: bigint;
  readonly fault: RecordFault | undefined;
  readonly vouchedThrough: bigint;
  readonly head: ChainHead;
  readonly rootHash: Uint8Array | undefined;
  /** Public keys of all checkpoints, by id. */
  readonly keys: ReadonlyMap<string, PublicKey>;
  /** The latest stored checkpoint. */
  readonly checkpoint: AuditCheckpoint | undefined;
  /** The last entry that external notes prove to have existed. */
  readonly knownThrough: bigint;
}

export interface Trust {
  /** Ids of trusted keys. Default: all keys that the store names. */
  readonly trusted?: readonly string[] | undefined;
  /** A checkpoint that the caller kept. */
  readonly kept?: AuditCheckpoint | undefined;
  /** Heads noted beside the store. */
  readonly heads?: readonly SignedHead[] | undefined;
}

/** Verifies the whole record of a tenant against itself, its checkpoints and a checkpoint kept elsewhere. */
export async function verifyRecord(
  store: RecordStore,
  tenantId: string,
  { trusted, kept, heads = [] }: Trust = {},
): Promise<RecordVerdict> {
  const { checkpoints, keys, invalid } = await readCheckpoints(store, tenantId);
  const believed = new Map([...keys].filter(([keyId]) => trusted === undefined || trusted.includes(keyId)));
  const head = kept && { tenantId: kept.tenantId, sequence: kept.sequence, entryHash: kept.entryHash };
  const verifier = chainVerifier({
    ...{ tenantId, digest: sha256, checkpoints, growTree: true },
    verifySignature: trustKeys(believed, checkSignature),
    ...(head && { head }),
  });
  let fault: RecordFault | undefined;
  for (let after = 0n; ; ) {
    const rows = await readPage(store, tenantId, after);
    if ("kind" in rows) {
      fault = rows;
      break;
    }
    for (const { entry } of rows) verifier.push(entry);
    const last = rows.at(-1);
    if (last === undefined) break;
    after = last.sequence;
  }
  const verdict = verifier.end();
  const foreign = trusted && keys.size > 0 && believed.size === 0 ? foreignKeys([...keys.keys()]) : undefined;
  const own = heads.filter((one) => one.head.tenantId === tenantId);
  const found =
    foreign ??
    (verdict.valid
      ? (fault ?? invalid ?? (await checkHeads(store, own, trusted)) ?? (await findLost(store, tenantId)))
      : faultOf(verdict));
  const reached = verdict.valid ? verdict : undefined;
  return {
    valid: found === undefined,
    entriesChecked: verdict.entriesChecked,
    fault: found,
    vouchedThrough: reached?.vouchedThrough ?? 0n,
    head: reached?.head ?? { tenantId, sequence: verdict.entriesChecked, entryHash: undefined },
    rootHash: reached?.frontier && reached.head.sequence > 0n ? root(reached.frontier, sha256) : undefined,
    keys,
    checkpoint: checkpoints.at(-1),
    knownThrough: furthest(own),
  };
}

/** The record is consistent, but the journal refers to entries that it lacks. */
export async function findLost(
  store: Pick<Store, "lostEntries">,
  tenantId: string,
): Promise<RecordFault | undefined> {
  const lost = (await store.lostEntries()).find((one) => one.tenantId === tenantId);
  if (lost === undefined) return undefined;
  const problem = `the runs of "${tenantId}" refer to entries up to ${lost.last}, and the record lacks those from ${lost.first} on`;
  return { kind: "cut", sequence: lost.first, problem };
}

function furthest(heads: readonly SignedHead[]): bigint {
  let last = 0n;
  for (const { head } of heads) if (head.sequence > last) last = head.sequence;
  return last;
}

type Page = Awaited<ReturnType<Store["auditRecord"]>>;

/** An unreadable row is a finding, not an error. */
async function readPage(store: RecordStore, tenantId: string, after: bigint): Promise<Page | RecordFault> {
  try {
    const rows = await store.auditRecord(tenantId, after, pageSize);
    const odd = rows.findIndex(({ hash, entry }) => !sameBytes(hash, entry.subarray(-hash.length)));
    if (odd < 0) return rows;
    if (odd > 0) return rows.slice(0, odd);
    const sequence = rows[0]?.sequence ?? after + 1n;
    return {
      kind: "changed",
      sequence,
      problem: `entry ${sequence} is stored with a wrong hash`,
    };
  } catch (error) {
    if (!(error instanceof StoreUnavailable) || error.code !== "BATON-STORE-003") throw error;
    const sequence = after + 1n;
    return { kind: "changed", sequence, problem: `entry ${sequence} cannot be read: ${error.message}` };
  }
}

function sameBytes(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0;
}

function faultOf({
  kind,
  firstBadSequence: sequence,
  problem,
}: {
  kind: FaultKind;
  firstBadSequence: bigint;
  problem: string;
}): RecordFault {
  return { kind, sequence, problem };
}

function foreignKeys(keyIds: readonly string[]): RecordFault {
  const problem = `it is signed with ${keyIds.join(", ")}, which is not trusted`;
  return { kind: "foreign-key", sequence: 1n, problem };
}

export function emptyReached(tenantId: string): Reached {
  return { head: { tenantId, sequence: 0n, entryHash: undefined }, frontier: emptyFrontier };
}
