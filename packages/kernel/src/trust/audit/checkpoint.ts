import { type AuditCheckpoint, AuditCheckpointSchema } from "@baton/contract/messages";
import { create } from "@bufbuild/protobuf";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { checkpointBytes, UnknownField } from "./canonical/canonical.ts";
import type { ChainHead } from "./chain.ts";
import type { Digest } from "./digest.ts";
import { type Frontier, root } from "./merkle/frontier.ts";

/** Whether the key of that id made the signature over the bytes; false for an unknown key. */
export type VerifySignature = (bytes: Uint8Array, signature: Uint8Array, keyId: string) => boolean;

interface Issue {
  readonly issuedAt: Timestamp;
  readonly keyId: string;
}

/**
 * The unsigned checkpoint of a record: sign its `checkpointBytes` and set `signature`. An empty record has no checkpoint.
 */
export function makeCheckpoint(
  head: ChainHead,
  frontier: Frontier,
  { issuedAt, keyId }: Issue,
  digest: Digest,
): AuditCheckpoint {
  if (head.entryHash === undefined) throw new RangeError(`the record of "${head.tenantId}" is still empty`);
  if (frontier.size !== head.sequence) {
    throw new RangeError(`the tree has ${frontier.size} leaves, the chain ${head.sequence} entries`);
  }
  return create(AuditCheckpointSchema, {
    tenantId: head.tenantId,
    sequence: head.sequence,
    entryHash: head.entryHash,
    rootHash: root(frontier, digest),
    issuedAt,
    keyId,
  });
}

/**
 * Why a checkpoint is not trusted; undefined when it is. Without a verifier no checkpoint is trusted: one that anyone
 * could have written proves nothing.
 */
export function distrust(
  checkpoint: AuditCheckpoint,
  tenantId: string,
  verifySignature: VerifySignature | undefined,
): string | undefined {
  const { sequence, keyId } = checkpoint;
  const it = `the checkpoint at ${sequence}`;
  if (checkpoint.tenantId !== tenantId) return `${it} is of tenant "${checkpoint.tenantId}"`;
  if (sequence < 1n) return `${it} covers no entry`;
  if (verifySignature === undefined) return `${it} cannot be believed: there is no key to check it with`;
  try {
    const signed = verifySignature(checkpointBytes(checkpoint), checkpoint.signature, keyId);
    return signed ? undefined : `${it} is not signed by key "${keyId}"`;
  } catch (error) {
    if (!(error instanceof UnknownField)) throw error;
    return `${it} has field ${error.field}, which this version does not know`;
  }
}
