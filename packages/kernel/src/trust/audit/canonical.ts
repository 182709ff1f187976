/**
 * The bytes that are hashed and signed. One message has one canonical form, whoever writes it:
 *
 * C1. A prefix names what it is and the version of this form, so that a hash of one thing never stands for another.
 * C2. Then protobuf's binary form: fields by ascending number, zero values left out, numbers as short as they go. Maps
 *     and floating point numbers have no place in it.
 * C3. The field that will hold the hash or the signature is left out.
 * C4. A message with fields that are unknown here has no canonical form: JSON drops them, and where they belong is not
 *     known. It is refused, and not hashed without them, or anyone could add to an entry what nobody sees.
 */
import {
  type AuditCheckpoint,
  AuditCheckpointSchema,
  type AuditEntry,
  AuditEntrySchema,
} from "@baton/contract";
import type { RedactionPlace, Redactor } from "../redaction/redactor.ts";
import { canonicalWriter } from "./canonical-writer.ts";

const entryPrefix = "baton/audit-entry/1\0";

/** The bytes that `entry_hash` is the hash of (A §5.2). Throws `UnknownField`. */
export const entryBytes: (entry: AuditEntry) => Uint8Array = entryWriter();

/** The same, of the entry as it is without what must not be in it. */
export function redactedEntryBytes(redactor: Redactor): (entry: AuditEntry) => Uint8Array {
  return entryWriter(redactor.place(AuditEntrySchema.name));
}

function entryWriter(place?: RedactionPlace): (entry: AuditEntry) => Uint8Array {
  return canonicalWriter(AuditEntrySchema, ascii(entryPrefix), "entryHash", place);
}

/** Number, type and length of `entry_hash`, the last field of an entry: 25, delimited, 32 bytes. */
const hashField = [0xca, 0x01, 0x20] as const;

/** The entry itself, from its canonical bytes and their hash: the canonical form is protobuf's, but for the hash. */
export function withHash(canonical: Uint8Array, hash: Uint8Array): Uint8Array {
  const body = canonical.length - entryPrefix.length;
  const bytes = new Uint8Array(body + hashField.length + hash.length);
  bytes.set(canonical.subarray(entryPrefix.length));
  bytes.set(hashField, body);
  bytes.set(hash, body + hashField.length);
  return bytes;
}

/** The bytes to be signed: tenant, sequence, head of the chain, root of the tree, time and key. Throws `UnknownField`. */
export const checkpointBytes: (checkpoint: AuditCheckpoint) => Uint8Array = canonicalWriter(
  AuditCheckpointSchema,
  ascii("baton/audit-checkpoint/1\0"),
  "signature",
);

function ascii(text: string): Uint8Array {
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}
