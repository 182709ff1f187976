/**
 * The file of an exported record (docs/reference/audit-file.md): lines of JSON, each ended by a line feed.
 * F1. The header is first: the content of the file, and the public keys that signed it.
 * F2. Then checkpoints, by their sequence; then entries, in their binary form, which is what is hashed.
 * F3. Entries of a whole record are verified by their chain. Those of a pipeline, and a single one, have inclusion proofs
 *     for the last checkpoint.
 * F4. The trailer is last: a signature over every byte before it. It proves that a pipeline's entries are complete. A
 *     single entry needs none.
 */
import { type AuditCheckpoint, AuditCheckpointSchema } from "@baton/contract/messages";
import { toJson } from "@bufbuild/protobuf";

export type ExportScope = "record" | "pipeline" | "entry";

export interface ExportHeader {
  readonly scope: ExportScope;
  readonly tenantId: string;
  /** For the scope "pipeline". */
  readonly pipelineId?: string;
  /** Number of entries. */
  readonly entries: number;
  /** Their sequences, unless it is the whole record. */
  readonly sequences?: readonly number[];
  readonly keys: readonly { readonly keyId: string; readonly publicKey: string }[];
  /** Consistency proof from a checkpoint kept elsewhere to that of the file. */
  readonly since?: { readonly sequence: number; readonly hashes: readonly string[] };
}

export interface ExportTrailer {
  /** SHA-256 of every byte before the line. */
  readonly digest: string;
  readonly keyId: string;
  readonly signature: string;
}

/** Part of the format. */
export const trailerKey = "seal";
export const exportFormat = "baton-audit";
export const exportVersion = 1;

/** Bytes are base64 with padding. */
export function headerLine(header: ExportHeader): string {
  const { scope, tenantId, pipelineId, entries, sequences, keys, since } = header;
  const named = keys.map(({ keyId, publicKey }) => ({ keyId, publicKey }));
  const leads = since && { sequence: since.sequence, hashes: since.hashes };
  const what = { scope, tenantId, pipelineId, entries, sequences, keys: named, since: leads };
  return `${JSON.stringify({ format: exportFormat, version: exportVersion, ...what })}\n`;
}

export function checkpointLine(checkpoint: AuditCheckpoint): string {
  return `${JSON.stringify({ checkpoint: toJson(AuditCheckpointSchema, checkpoint) })}\n`;
}

export function entryLine(entry: string, proof?: readonly string[]): string {
  return proof === undefined ? `{"entry":"${entry}"}\n` : `${JSON.stringify({ entry, proof })}\n`;
}

export function trailerLine({ digest, keyId, signature }: ExportTrailer): string {
  return `${JSON.stringify({ [trailerKey]: { digest, keyId, signature } })}\n`;
}

const trailerPrefix = Uint8Array.from("baton/audit-export/1\0", (letter) => letter.charCodeAt(0));

/** The bytes that the trailer signs. */
export function trailerBytes(digest: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(trailerPrefix.length + digest.length);
  bytes.set(trailerPrefix);
  bytes.set(digest, trailerPrefix.length);
  return bytes;
}
