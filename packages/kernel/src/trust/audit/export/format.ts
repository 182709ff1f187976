/**
 * The file of an exported record (docs/reference/audit-file.md): lines of JSON, each ended by a line feed.
 *
 * F1. The header is first: what is in the file, and the public keys that signed it.
 * F2. Then checkpoints, by their sequence; then entries, in their binary form, which is what is hashed.
 * F3. Entries of a whole record are held together by their chain. Those of a pipeline, and a single one, have proofs that
 *     lead to the last checkpoint.
 * F4. The seal is last: a signature over every byte before it. It is what says that a pipeline's entries are all there. A
 *     single entry needs none.
 */
import { type AuditCheckpoint, AuditCheckpointSchema } from "@baton/contract/messages";
import { toJson } from "@bufbuild/protobuf";

export type ExportScope = "record" | "pipeline" | "entry";

export interface ExportHeader {
  readonly scope: ExportScope;
  readonly tenantId: string;
  /** Of a pipeline's. */
  readonly pipelineId?: string;
  /** How many there are. */
  readonly entries: number;
  /** Which they are, unless it is the whole record. */
  readonly sequences?: readonly number[];
  readonly keys: readonly { readonly keyId: string; readonly publicKey: string }[];
  /** Leads from a checkpoint that was kept elsewhere to the one of the file. */
  readonly since?: { readonly sequence: number; readonly hashes: readonly string[] };
}

export interface ExportSeal {
  /** SHA-256 of every byte before the line. */
  readonly digest: string;
  readonly keyId: string;
  readonly signature: string;
}

export const exportFormat = "baton-audit";
export const exportVersion = 1;

/** Bytes as texts are in base64, with padding. */
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

export function sealLine({ digest, keyId, signature }: ExportSeal): string {
  return `${JSON.stringify({ seal: { digest, keyId, signature } })}\n`;
}

const sealPrefix = Uint8Array.from("baton/audit-export/1\0", (letter) => letter.charCodeAt(0));

/** What the seal signs. */
export function sealBytes(digest: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(sealPrefix.length + digest.length);
  bytes.set(sealPrefix);
  bytes.set(digest, sealPrefix.length);
  return bytes;
}
