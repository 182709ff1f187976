/** Going through a tenant's record as it is stored, to check it and to grow the tree over it. */
import type { AuditCheckpoint } from "@baton/contract/messages";
import {
  appendLeaf,
  believeKeys,
  type ChainHead,
  chainVerifier,
  emptyFrontier,
  type FaultKind,
  type Frontier,
  type PublicKey,
  root,
} from "@baton/kernel/audit";
import type { KeptNode, Store } from "../ports/store.ts";
import { StoreUnavailable } from "../ports/store-error.ts";
import { checkHeads } from "./check-heads.ts";
import type { SignedHead } from "./head-file.ts";
import { readCheckpoints } from "./read-checkpoints.ts";
import { checkSignature, sha256 } from "./signing-key.ts";
import { keptLevel } from "./tree.ts";

export type RecordStore = Pick<
  Store,
  "auditRecord" | "checkpoints" | "lastCheckpoint" | "treeNodes" | "heads" | "lostEntries"
>;

const entriesAtOnce = 2_048;

export interface RecordFault {
  readonly kind: FaultKind;
  readonly sequence: bigint;
  readonly problem: string;
}

/** Where a walk begins, or has come to. */
export interface Reached {
  readonly head: ChainHead;
  readonly frontier: Frontier;
}

export interface Growth extends Reached {
  /** Nodes to be kept that became full on the way. */
  readonly nodes: readonly KeptNode[];
  readonly rootHash: Uint8Array;
  /** Whether there are more entries. */
  readonly more: boolean;
  /** What was found; then nothing may be signed. */
  readonly fault: RecordFault | undefined;
}

/** Grows the tree over the entries after a point, at the most so many, and checks them on the way. */
export async function growTree(
  store: RecordStore,
  { head: start, frontier: from }: Reached,
  mostEntries: number,
): Promise<Growth> {
  const { tenantId } = start;
  const nodes: KeptNode[] = [];
  const verifier = chainVerifier({ tenantId, digest: sha256, from: start });
  let frontier = from;
  let head = start;
  let fault: RecordFault | undefined;
  let more = true;
  for (let count = 0; count < mostEntries && more && fault === undefined; ) {
    const rows = await readPage(store, tenantId, head.sequence);
    if ("kind" in rows) {
      fault = rows;
      break;
    }
    for (const { sequence, hash, entry } of rows) {
      if (!verifier.push(entry)) break;
      // The bytes are those of a page, and may stay for long.
      head = { tenantId, sequence, entryHash: new Uint8Array(hash) };
      frontier = appendLeaf(frontier, new Uint8Array(hash), sha256, ({ level, index }, of) => {
        if (level >= keptLevel) nodes.push({ level, index, hash: of });
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
  /** Public keys of all its checkpoints, by their ids. */
  readonly keys: ReadonlyMap<string, PublicKey>;
  /** The newest one that is stored. */
  readonly checkpoint: AuditCheckpoint | undefined;
  /** How far what is written beside the store reaches: the last entry of which it is known that it was there. */
  readonly knownThrough: bigint;
}

export interface Trust {
  /** Ids of the keys that are trusted; without them, all that the store names. */
  readonly trusted?: readonly string[] | undefined;
  /** Kept elsewhere, by whoever asks. */
  readonly kept?: AuditCheckpoint | undefined;
  /** What is written beside the store of where the record ended. */
  readonly heads?: readonly SignedHead[] | undefined;
}

/** Checks the whole record of a tenant against itself, its checkpoints and one that was kept elsewhere. */
export async function verifyRecord(
  store: RecordStore,
  tenantId: string,
  { trusted, kept, heads = [] }: Trust = {},
): Promise<RecordVerdict> {
  const { checkpoints, keys, illegible } = await readCheckpoints(store, tenantId);
  const believed = new Map([...keys].filter(([keyId]) => trusted === undefined || trusted.includes(keyId)));
  const head = kept && { tenantId: kept.tenantId, sequence: kept.sequence, entryHash: kept.entryHash };
  const verifier = chainVerifier({
    ...{ tenantId, digest: sha256, checkpoints, growTree: true },
    verifySignature: believeKeys(believed, checkSignature),
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
      ? (fault ?? illegible ?? (await checkHeads(store, own, trusted)) ?? (await findLost(store, tenantId)))
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

/** The record agrees with itself, but the journal was committed with entries that it does not have. */
export async function findLost(
  store: Pick<Store, "lostEntries">,
  tenantId: string,
): Promise<RecordFault | undefined> {
  const lost = (await store.lostEntries()).find((one) => one.tenantId === tenantId);
  if (lost === undefined) return undefined;
  const problem = `the runs of "${tenantId}" were committed with entries up to ${lost.last}, and the record has lost them from ${lost.first} on`;
  return { kind: "cut", sequence: lost.first, problem };
}

function furthest(heads: readonly SignedHead[]): bigint {
  let most = 0n;
  for (const { head } of heads) if (head.sequence > most) most = head.sequence;
  return most;
}

type Page = Awaited<ReturnType<Store["auditRecord"]>>;

/** A row that cannot be unpacked is a finding, and not a reason to give up. */
async function readPage(store: RecordStore, tenantId: string, after: bigint): Promise<Page | RecordFault> {
  try {
    const rows = await store.auditRecord(tenantId, after, entriesAtOnce);
    const odd = rows.findIndex(({ hash, entry }) => !sameBytes(hash, entry.subarray(-hash.length)));
    if (odd < 0) return rows;
    if (odd > 0) return rows.slice(0, odd);
    const sequence = rows[0]?.sequence ?? after + 1n;
    return {
      kind: "changed",
      sequence,
      problem: `entry ${sequence} is stored with another hash than its own`,
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
  const problem = `it is signed with ${keyIds.join(", ")}, and not with a key that is trusted`;
  return { kind: "foreign-key", sequence: 1n, problem };
}

export function emptyReached(tenantId: string): Reached {
  return { head: { tenantId, sequence: 0n, entryHash: undefined }, frontier: emptyFrontier };
}
