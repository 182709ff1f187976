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
import { canonicalWriter } from "./canonical-writer.ts";

/** The bytes that `entry_hash` is the hash of (A §5.2). Throws `UnknownField`. */
export const entryBytes: (entry: AuditEntry) => Uint8Array = canonicalWriter(
  AuditEntrySchema,
  ascii("baton/audit-entry/1\0"),
  "entryHash",
);

/** The bytes to be signed: tenant, sequence, head of the chain, root of the tree, time and key. Throws `UnknownField`. */
export const checkpointBytes: (checkpoint: AuditCheckpoint) => Uint8Array = canonicalWriter(
  AuditCheckpointSchema,
  ascii("baton/audit-checkpoint/1\0"),
  "signature",
);

function ascii(text: string): Uint8Array {
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}
