/** Checks the proof of one entry, and writes both to a file for others. */
import type { AuditCheckpoint, GetAuditProofResponse } from "@baton/contract/forms";
import {
  checkpointLine,
  type ExportOptions,
  entryLine,
  headerLine,
  keyIdOf,
  trustKeys,
  verifyEntryProof,
} from "@baton/kernel/audit";
import { exportTools } from "./export-tools.ts";
import { brief } from "./verdict.ts";

export interface CheckedProof {
  readonly valid: boolean;
  readonly problem?: string;
  /** The length of the path from the entry to the checkpoint. */
  readonly hashes: number;
  readonly checkpoint?: ReturnType<typeof brief>;
  readonly keyId: string;
  readonly keyIsTrusted: boolean;
}

export function checkAnswer(answer: GetAuditProofResponse, { trusted }: ExportOptions): CheckedProof {
  const { entry, proof, key } = answer;
  const keyId = key ? keyIdOf(key.publicKey, exportTools.digest) : "";
  const result = {
    hashes: proof?.hashes.length ?? 0,
    ...(proof?.checkpoint && { checkpoint: brief(proof.checkpoint) }),
    ...{ keyId, keyIsTrusted: trusted !== undefined },
  };
  if (!entry || !proof || !key) return { valid: false, problem: "the hub gave no proof", ...result };
  if (trusted !== undefined && !trusted.includes(keyId)) {
    return {
      valid: false,
      problem: `it is signed with ${keyId}, and not with a key that is trusted`,
      ...result,
    };
  }
  const verifySignature = trustKeys(new Map([[keyId, key.publicKey]]), exportTools.checkSignature);
  const options = { tenantId: entry.tenantId, digest: exportTools.digest, verifySignature };
  const verdict = verifyEntryProof(entry, proof, options);
  return verdict.valid ? { valid: true, ...result } : { valid: false, problem: verdict.problem, ...result };
}

/** A file of the scope "entry" (docs/reference/audit-file.md). */
export function proofFile(entry: Uint8Array, { entry: decoded, proof, key }: GetAuditProofResponse): string {
  const header = headerLine({
    ...{ scope: "entry", tenantId: decoded?.tenantId ?? "", entries: 1 },
    sequences: [Number(decoded?.sequence ?? 0n)],
    keys: key ? [{ keyId: key.keyId, publicKey: base64(key.publicKey) }] : [],
  });
  const hashes = (proof?.hashes ?? []).map(base64);
  return header + checkpointOf(proof?.checkpoint) + entryLine(base64(entry), hashes);
}

function checkpointOf(checkpoint: AuditCheckpoint | undefined): string {
  return checkpoint ? checkpointLine(checkpoint) : "";
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64");
}
