import type { AuditEntry, InclusionProof } from "@baton/contract/messages";
import { distrust, type VerifySignature } from "../checkpoint.ts";
import type { Digest } from "../digest.ts";
import { verifyInclusion } from "../merkle/inclusion.ts";
import { checkPosition } from "./chain-position.ts";
import { frameEntry } from "./entry-frame.ts";

type ProofVerdict = { readonly valid: true } | { readonly valid: false; readonly problem: string };

export interface ProofOptions {
  readonly tenantId: string;
  readonly digest: Digest;
  readonly verifySignature: VerifySignature;
}

/**
 * Whether an entry is in the record of a checkpoint: for the receiver of `GetAuditProof`, without any other entry. The
 * index in the tree is the sequence less one, so a proof is not valid for a neighbour.
 */
export function verifyEntryProof(
  entry: AuditEntry,
  { leafIndex, hashes, checkpoint }: InclusionProof,
  { tenantId, digest, verifySignature }: ProofOptions,
): ProofVerdict {
  if (checkpoint === undefined) return { valid: false, problem: "the proof leads to no checkpoint" };
  const distrusted = distrust(checkpoint, tenantId, verifySignature);
  if (distrusted !== undefined) return { valid: false, problem: distrusted };
  const { sequence, previousHash, entryHash } = entry;
  const fault = checkPosition(
    { tenantId, sequence: sequence - 1n, entryHash: previousHash },
    frameEntry(entry),
    digest,
  );
  if (fault?.kind === "unlinked" || entryHash === undefined || leafIndex !== sequence - 1n) {
    return { valid: false, problem: `the proof is not for entry ${sequence}` };
  }
  if (fault) return { valid: false, problem: fault.problem };
  const { sequence: treeSize, rootHash } = checkpoint;
  if (verifyInclusion({ entryHash, leafIndex, treeSize, hashes, rootHash }, digest)) return { valid: true };
  return {
    valid: false,
    problem: `the hashes do not lead from entry ${sequence} to the checkpoint at ${treeSize}`,
  };
}
