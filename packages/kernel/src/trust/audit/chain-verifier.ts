/**
 * Checks a record, entry by entry (OBS-04). It keeps the head of the chain and the frontier of the tree, so a million
 * entries take as much memory as ten.
 */
import type { AuditCheckpoint, AuditEntry } from "@baton/contract/messages";
import { type ChainHead, emptyChain } from "./chain.ts";
import type { VerifySignature } from "./checkpoint.ts";
import type { Digest } from "./digest.ts";
import { frameBytes, frameEntry } from "./entry-frame.ts";
import type { Fault, FaultKind } from "./fault.ts";
import { checkpointLandmark, endBefore, headLandmark, type Landmark, passLandmark } from "./landmark.ts";
import { appendLeaf, emptyFrontier, type Frontier } from "./merkle/frontier.ts";
import { placeEntry } from "./place-entry.ts";
import { type RetainedStart, startAfter } from "./retained-start.ts";
import { conclude, hear, type Suspicion } from "./suspicion.ts";

export interface VerifyOptions {
  readonly tenantId: string;
  readonly digest: Digest;
  /** Where retention cut the record (OBS-08); without it the first entry must be entry 1. */
  readonly start?: RetainedStart;
  /** A head that is known to be right; checking begins after it. */
  readonly from?: ChainHead;
  /** A head that was kept where the record is not. The record may have gone on since. */
  readonly head?: ChainHead;
  readonly checkpoints?: readonly AuditCheckpoint[];
  /** Without it no checkpoint is believed. */
  readonly verifySignature?: VerifySignature;
  /**
   * Whether the verdict is to carry the tree also when no checkpoint asks for it. It takes another hash an entry. The
   * roots of checkpoints are compared in any case.
   */
  readonly growTree?: boolean;
}

export type ChainVerdict =
  | {
      readonly valid: true;
      readonly entriesChecked: bigint;
      readonly head: ChainHead;
      /** The tree over the record, for the next checkpoint, if it was grown and the start came with its peaks. */
      readonly frontier: Frontier | undefined;
      /** The last entry that a checkpoint or a kept head vouches for. What is after it could have been written anew. */
      readonly vouchedThrough: bigint;
    }
  | {
      readonly valid: false;
      readonly entriesChecked: bigint;
      readonly firstBadSequence: bigint;
      readonly kind: FaultKind;
      readonly problem: string;
    };

export interface ChainVerifier {
  /**
   * Takes the next entry, decoded or in its binary form, and says whether all is well so far. After a fault the rest need not be pushed; pushing it is
   * cheap and tells a reordered entry from a missing one.
   */
  push(entry: AuditEntry | Uint8Array): boolean;
  end(): ChainVerdict;
}

export function chainVerifier(options: VerifyOptions): ChainVerifier {
  const { tenantId, digest, start, from, checkpoints = [], growTree = false } = options;
  let head: ChainHead = from ?? emptyChain(tenantId);
  let frontier: Frontier | undefined = emptyFrontier;
  let fault: Fault | undefined;
  let suspicion: Suspicion | undefined;
  let entriesChecked = 0n;
  if (start) ({ head, frontier, fault } = startAfter(start, options));
  if (from || (!growTree && checkpoints.length === 0)) frontier = undefined;
  let vouchedThrough = head.sequence;
  const landmarks = landmarksFrom(head.sequence, options);
  passLandmarks();

  function passLandmarks(): void {
    while (fault === undefined && landmarks[0]?.sequence === head.sequence) {
      fault = passLandmark(landmarks.shift() as Landmark, head, frontier, vouchedThrough, digest);
      if (fault === undefined) vouchedThrough = head.sequence;
    }
  }

  function push(entry: AuditEntry | Uint8Array): boolean {
    if (fault) return false;
    const frame = entry instanceof Uint8Array ? frameBytes(entry) : frameEntry(entry);
    if (suspicion) {
      if (frame) suspicion = hear(suspicion, frame);
      return false;
    }
    const found = frame ? placeEntry(head, frame, digest) : illegible(head.sequence + 1n);
    const entryHash = frame?.entryHash;
    if (found) {
      suspicion = { fault: found, head, headVouchedFor: vouchedThrough === head.sequence, entryHash };
      return false;
    }
    head = { tenantId, sequence: head.sequence + 1n, entryHash };
    // An entry that has its place has a hash.
    frontier &&= appendLeaf(frontier, entryHash as Uint8Array, digest);
    entriesChecked += 1n;
    passLandmarks();
    return fault === undefined;
  }

  function end(): ChainVerdict {
    const found = fault ?? (suspicion && conclude(suspicion)) ?? endBefore(landmarks, head.sequence);
    if (found === undefined) return { valid: true, entriesChecked, head, frontier, vouchedThrough };
    const { kind, sequence, problem } = found;
    return { valid: false, entriesChecked, firstBadSequence: sequence, kind, problem };
  }

  return { push, end };
}

/** Checks a record that is at hand. */
export function verifyChain(
  entries: Iterable<AuditEntry | Uint8Array>,
  options: VerifyOptions,
): ChainVerdict {
  const verifier = chainVerifier(options);
  for (const entry of entries) verifier.push(entry);
  return verifier.end();
}

/** Bytes that are no entry at all. */
function illegible(sequence: bigint): Fault {
  return { kind: "changed", sequence, problem: `entry ${sequence} cannot be read` };
}

/** What lies before the start cannot be compared with anything: the entries are gone. */
function landmarksFrom(first: bigint, options: VerifyOptions): Landmark[] {
  const { tenantId, checkpoints = [], head, verifySignature } = options;
  return checkpoints
    .map((checkpoint) => checkpointLandmark(checkpoint, tenantId, verifySignature))
    .concat(head ? headLandmark(head, tenantId) : [])
    .filter(({ sequence }) => sequence >= first)
    .sort((one, other) => Number(one.sequence - other.sequence));
}
