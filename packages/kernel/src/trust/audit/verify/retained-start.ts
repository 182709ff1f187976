import type { AuditCheckpoint } from "@baton/contract/messages";
import { type ChainHead, emptyChain } from "../chain.ts";
import { distrust, type VerifySignature } from "../checkpoint.ts";
import { type Digest, sameHash } from "../digest.ts";
import { emptyFrontier, type Frontier, isWellFormed, root } from "../merkle/frontier.ts";
import type { Fault } from "./fault.ts";

/**
 * The start of a record whose older entries have expired (OBS-08): the checkpoint up to which they were removed. Its
 * signature permits the next entry to name a predecessor that is gone.
 */
export interface RetainedStart {
  readonly checkpoint: AuditCheckpoint;
  /**
   * The peaks of the tree at the checkpoint, at most 63 hashes. They need no signature: the root of the checkpoint commits
   * to them. Without them the chain is verified, but not the roots of later checkpoints.
   */
  readonly peaks?: readonly Uint8Array[];
}

interface Beginning {
  readonly head: ChainHead;
  readonly frontier: Frontier | undefined;
  readonly fault: Fault | undefined;
}

/** The state before the first remaining entry. */
export function startAfter(
  { checkpoint, peaks }: RetainedStart,
  options: { tenantId: string; digest: Digest; verifySignature?: VerifySignature },
): Beginning {
  const { tenantId, digest, verifySignature } = options;
  const { sequence, entryHash, rootHash } = checkpoint;
  const distrusted = distrust(checkpoint, tenantId, verifySignature);
  if (distrusted !== undefined) {
    const fault: Fault = { kind: "checkpoint-forged", sequence, problem: distrusted };
    return { head: emptyChain(tenantId), frontier: emptyFrontier, fault };
  }
  const head = { tenantId, sequence, entryHash };
  if (peaks === undefined) return { head, frontier: undefined, fault: undefined };
  const frontier = { size: sequence, peaks };
  if (isWellFormed(frontier) && sameHash(root(frontier, digest), rootHash)) {
    return { head, frontier, fault: undefined };
  }
  const problem = `the tree that was kept for the checkpoint at ${sequence} is not the one it was signed for`;
  return { head, frontier, fault: { kind: "checkpoint-mismatch", sequence, problem } };
}
