/** Verifies a record, entry by entry (OBS-04), in constant memory: the head of the chain and the frontier of the tree. */
import type { AuditCheckpoint, AuditEntry } from "@baton/contract/messages";
import { type ChainHead, emptyChain } from "../chain.ts";
import type { VerifySignature } from "../checkpoint.ts";
import type { Digest } from "../digest.ts";
import { appendLeaf, emptyFrontier, type Frontier } from "../merkle/frontier.ts";
import { checkPosition } from "./chain-position.ts";
import { frameBytes, frameEntry } from "./entry-frame.ts";
import type { Fault, FaultKind } from "./fault.ts";
import { checkpointLandmark, endBefore, headLandmark, type Landmark, passLandmark } from "./landmark.ts";
import { type RetainedStart, startAfter } from "./retained-start.ts";
import { conclude, observe, type Suspicion } from "./suspicion.ts";

export interface VerifyOptions {
  readonly tenantId: string;
  readonly digest: Digest;
  /** Where retention cut the record (OBS-08); without it the first entry must be entry 1. */
  readonly start?: RetainedStart;
  /** A trusted head; verification starts after it. */
  readonly from?: ChainHead;
  /** A head that was kept apart from the record, which may have grown since. */
  readonly head?: ChainHead;
  readonly checkpoints?: readonly AuditCheckpoint[];
  /** Without it no checkpoint is trusted. */
  readonly verifySignature?: VerifySignature;
  /**
   * Whether the verdict includes the tree even if no checkpoint needs it, at the cost of one more hash an entry. Roots of
   * checkpoints are always compared.
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
      /** The last entry that a checkpoint or a kept head vouches for. Later entries could have been rewritten. */
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
   * Takes the next entry, decoded or in its binary form, and returns whether the record is valid so far. After a fault the
   * rest is optional; it distinguishes a reordered entry from a missing one.
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
      if (frame) suspicion = observe(suspicion, frame);
      return false;
    }
    const found = frame ? checkPosition(head, frame, digest) : unreadableEntry(head.sequence + 1n);
    const entryHash = frame?.entryHash;
    if (found) {
      suspicion = { fault: found, head, headVouchedFor: vouchedThrough === head.sequence, entryHash };
      return false;
    }
    head = { tenantId, sequence: head.sequence + 1n, entryHash };
    // A chained entry has a hash.
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

/** Verifies a record in memory. */
export function verifyChain(
  entries: Iterable<AuditEntry | Uint8Array>,
  options: VerifyOptions,
): ChainVerdict {
  const verifier = chainVerifier(options);
  for (const entry of entries) verifier.push(entry);
  return verifier.end();
}

/** Bytes that are not an entry. */
function unreadableEntry(sequence: bigint): Fault {
  return { kind: "changed", sequence, problem: `entry ${sequence} cannot be read` };
}

/** Landmarks before the start are skipped: their entries are gone. */
function landmarksFrom(first: bigint, options: VerifyOptions): Landmark[] {
  const { tenantId, checkpoints = [], head, verifySignature } = options;
  return checkpoints
    .map((checkpoint) => checkpointLandmark(checkpoint, tenantId, verifySignature))
    .concat(head ? headLandmark(head, tenantId) : [])
    .filter(({ sequence }) => sequence >= first)
    .sort((one, other) => Number(one.sequence - other.sequence));
}
