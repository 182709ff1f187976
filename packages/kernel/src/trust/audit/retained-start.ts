import type { AuditCheckpoint } from "@baton/contract/messages";
import { type ChainHead, emptyChain } from "./chain.ts";
import { distrust, type VerifySignature } from "./checkpoint.ts";
import { type Digest, sameHash } from "./digest.ts";
import type { Fault } from "./fault.ts";
import { emptyFrontier, type Frontier, isWellFormed, root } from "./merkle/frontier.ts";

/**
 * Where a record begins whose older entries have expired (OBS-08): the checkpoint up to which they were removed, kept
 * in their place. Its signature says that the next entry may name a predecessor that is no longer there.
 */
export interface RetainedStart {
  readonly checkpoint: AuditCheckpoint;
  /**
   * The tree's peaks at the checkpoint, at the most 63 hashes. They need no signature: the checkpoint's root is made of
   * them. Without them the chain is checked all the same, but the roots of later checkpoints are not.
   */
  readonly peaks?: readonly Uint8Array[];
}

export interface Beginning {
  readonly head: ChainHead;
  readonly frontier: Frontier | undefined;
  readonly fault: Fault | undefined;
}

/** The state before the first entry that remains. */
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
