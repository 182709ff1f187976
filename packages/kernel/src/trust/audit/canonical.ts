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
  AuditEventType,
} from "@baton/contract/messages";
import type { Redactor } from "../redaction/redactor.ts";
import type { BackwardWriter } from "./backward-writer.ts";
import { canonicalWriter } from "./canonical-writer.ts";
import { checkpointPrefix, entryPrefix } from "./prefixes.ts";
import { prepareWalk, type Step, type Walk } from "./walk.ts";
import { writeMessage } from "./write-message.ts";

/** The bytes that `entry_hash` is the hash of (A §5.2). Throws `UnknownField`. */
export const entryBytes: (entry: AuditEntry) => Uint8Array = canonicalWriter(
  AuditEntrySchema,
  entryPrefix,
  "entryHash",
);

/**
 * Writes the same without the prefix, of the entry as it is without what must not be in it. Up to who did it, an entry has
 * most in common with the others of its decision; from there on with the last one that tells of the same event. So these
 * fields are remembered apart for each type of event.
 */
export function redactedEntryWriter(writer: BackwardWriter, redactor: Redactor): (entry: AuditEntry) => void {
  const prepare = () => prepareWalk(AuditEntrySchema, redactor.place(AuditEntrySchema.name), "entryHash");
  const common = prepare();
  const walks = new Map<AuditEventType, Walk>();
  const walkFor = (type: AuditEventType): Walk => {
    if (AuditEventType[type] === undefined) return common;
    const own = prepare();
    const steps = own.steps.map((step, at) => (isOfDecision(step) ? (common.steps[at] ?? step) : step));
    const walk = { ...own, steps };
    walks.set(type, walk);
    return walk;
  };
  return (entry) => writeMessage(writer, walks.get(entry.eventType) ?? walkFor(entry.eventType), entry);
}

function isOfDecision({ tag }: Step): boolean {
  return tag >>> 3 < AuditEntrySchema.field.actor.number;
}

/** The bytes to be signed: tenant, sequence, head of the chain, root of the tree, time and key. Throws `UnknownField`. */
export const checkpointBytes: (checkpoint: AuditCheckpoint) => Uint8Array = canonicalWriter(
  AuditCheckpointSchema,
  checkpointPrefix,
  "signature",
);
