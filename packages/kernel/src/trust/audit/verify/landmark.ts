import type { AuditCheckpoint } from "@baton/contract/messages";
import type { ChainHead } from "../chain.ts";
import { distrust, type VerifySignature } from "../checkpoint.ts";
import { type Digest, sameHash } from "../digest.ts";
import { type Frontier, root } from "../merkle/frontier.ts";
import type { Fault } from "./fault.ts";

/** A point that a record must pass: a checkpoint, or a head that was kept elsewhere. */
export interface Landmark {
  readonly name: string;
  readonly sequence: bigint;
  readonly entryHash: Uint8Array;
  readonly rootHash: Uint8Array | undefined;
  /** Why it is not trusted. Called when it is reached: earlier faults come first. */
  readonly distrust: () => string | undefined;
}

export function checkpointLandmark(
  checkpoint: AuditCheckpoint,
  tenantId: string,
  verifySignature: VerifySignature | undefined,
): Landmark {
  const { sequence, entryHash, rootHash } = checkpoint;
  const name = `the checkpoint at ${sequence}`;
  return {
    name,
    sequence,
    entryHash,
    rootHash,
    distrust: () => distrust(checkpoint, tenantId, verifySignature),
  };
}

export function headLandmark(head: ChainHead, tenantId: string): Landmark[] {
  if (head.entryHash === undefined) return [];
  const problem = head.tenantId === tenantId ? undefined : `the kept head is of tenant "${head.tenantId}"`;
  return [
    {
      name: `the head kept at ${head.sequence}`,
      sequence: head.sequence,
      entryHash: head.entryHash,
      rootHash: undefined,
      distrust: () => problem,
    },
  ];
}

/**
 * Compares a record with a landmark it has reached. All entries after the last match may have been rewritten; the one at
 * the landmark is the first that is known to be wrong.
 */
export function passLandmark(
  landmark: Landmark,
  head: ChainHead,
  frontier: Frontier | undefined,
  lastAgreed: bigint,
  digest: Digest,
): Fault | undefined {
  const { name, sequence, entryHash, rootHash } = landmark;
  const distrusted = landmark.distrust();
  if (distrusted !== undefined) return { kind: "checkpoint-forged", sequence, problem: distrusted };
  const from = lastAgreed + 1n;
  if (!sameHash(entryHash, head.entryHash)) {
    const where = from < sequence ? `somewhere from entry ${from} on` : `at entry ${sequence}`;
    const problem = `the record was rewritten ${where}: it does not lead to ${name}`;
    return { kind: "checkpoint-mismatch", sequence, problem };
  }
  if (frontier === undefined || rootHash === undefined) return undefined;
  if (sameHash(rootHash, root(frontier, digest))) return undefined;
  const problem = `${name} has another root than the tree over the entries`;
  return { kind: "checkpoint-mismatch", sequence, problem };
}

/** The fault of a record that ends before these landmarks, or undefined without any. */
export function endBefore(landmarks: readonly Landmark[], last: bigint): Fault | undefined {
  const [first] = landmarks;
  if (first === undefined) return undefined;
  const reached = landmarks.findLast((landmark) => landmark.distrust() === undefined);
  if (reached === undefined) {
    return { kind: "checkpoint-forged", sequence: first.sequence, problem: first.distrust() ?? "" };
  }
  const problem = `the record ends at entry ${last}, but ${reached.name} was reached`;
  return { kind: "cut", sequence: last + 1n, problem };
}
