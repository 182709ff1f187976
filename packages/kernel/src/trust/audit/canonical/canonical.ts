/**
 * The bytes that are hashed and signed. A message has one canonical form, independent of the writer:
 *
 * C1. A prefix names the kind and the version of the form, so that no hash is valid for another kind.
 * C2. Then protobuf's binary form: fields by ascending number, zero values left out, numbers as short as they go. Maps
 *     and floating point numbers have no place in it.
 * C3. The field that will hold the hash or the signature is left out.
 * C4. A message with unknown fields has no canonical form: JSON drops them, and their order is not known. It is refused,
 *     not hashed without them: otherwise anyone could add invisible content to an entry.
 */
import {
  type AuditCheckpoint,
  AuditCheckpointSchema,
  type AuditEntry,
  AuditEntrySchema,
  AuditEventType,
} from "@baton/contract/messages";
import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import type { Redactor } from "../../redaction/redactor.ts";
import { BackwardWriter } from "./backward-writer.ts";
import { checkpointPrefix, entryPrefix } from "./prefixes.ts";
import { prepareWalk, type Step, type Walk } from "./walk.ts";
import { writeMessage } from "./write-message.ts";

/** The bytes hashed for `entry_hash` (A §5.2). Throws `UnknownField`. */
export const entryBytes: (entry: AuditEntry) => Uint8Array = canonicalWriter(
  AuditEntrySchema,
  entryPrefix,
  "entryHash",
);

/**
 * Writes a redacted entry without the prefix. The fields up to the actor mostly equal those of other entries of the
 * decision, the later ones those of the last entry with the same event type; so the latter are cached by event type.
 */
export function redactedEntryWriter(writer: BackwardWriter, redactor: Redactor): (entry: AuditEntry) => void {
  const prepare = () => prepareWalk(AuditEntrySchema, redactor.locate(AuditEntrySchema.name), "entryHash");
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

export { UnknownField } from "./write-message.ts";

type FieldOf<Desc extends DescMessage> =
  Desc["field"] extends Record<infer Name extends string, unknown> ? Name : never;

/**
 * Writes messages in their canonical form, after a prefix: protobuf's binary form with its choices fixed. `omit` is the
 * field that holds the hash or the signature of these bytes.
 */
export function canonicalWriter<Desc extends DescMessage>(
  schema: Desc,
  prefix: Uint8Array,
  omit: FieldOf<Desc>,
): (message: MessageShape<Desc>) => Uint8Array {
  const writer = new BackwardWriter(); // Reused: growing a buffer for every entry would double the time.
  const walk = prepareWalk(schema, undefined, omit);
  return (message) => {
    writer.clear();
    writeMessage(writer, walk, message);
    writer.raw(prefix);
    return writer.copy();
  };
}
