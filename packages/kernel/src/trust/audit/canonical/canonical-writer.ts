import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import { BackwardWriter } from "./backward-writer.ts";
import { prepareWalk } from "./walk.ts";
import { writeMessage } from "./write-message.ts";

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
