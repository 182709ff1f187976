import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import type { RedactionPlace } from "../redaction/redactor.ts";
import { BackwardWriter } from "./backward-writer.ts";
import { prepareWalk } from "./walk.ts";
import { writeMessage } from "./write-message.ts";

export { UnknownField } from "./write-message.ts";

type FieldOf<Desc extends DescMessage> =
  Desc["field"] extends Record<infer Name extends string, unknown> ? Name : never;

/**
 * Writes messages in their one canonical form: protobuf's binary form, with everything settled that protobuf leaves open.
 * `omit` is the field that holds what is made of these bytes: the hash or the signature. With a `place` to redact for, what
 * the policy masks there does not get into the bytes.
 */
export function messageWriter<Desc extends DescMessage>(
  writer: BackwardWriter,
  schema: Desc,
  omit: FieldOf<Desc>,
  place?: RedactionPlace,
): (message: MessageShape<Desc>) => void {
  const walk = prepareWalk(schema, place, omit);
  return (message) => writeMessage(writer, walk, message);
}

/** The canonical form as bytes, behind a prefix. */
export function canonicalWriter<Desc extends DescMessage>(
  schema: Desc,
  prefix: Uint8Array,
  omit: FieldOf<Desc>,
): (message: MessageShape<Desc>) => Uint8Array {
  const writer = new BackwardWriter(); // Used again: growing a buffer for every entry would double the time.
  const write = messageWriter(writer, schema, omit);
  return (message) => {
    writer.clear();
    write(message);
    writer.raw(prefix);
    return writer.copy();
  };
}
