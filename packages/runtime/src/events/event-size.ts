/**
 * Limits of events, so that they fit into a message in binary and JSON form after redaction, which may lengthen them.
 */
import { defaultLimits } from "@baton/contract";
import { type DescMessage, type MessageShape, toBinary } from "@bufbuild/protobuf";
import { measure, surelyFits } from "../lib/measure-message.ts";

export const sizeLimits = {
  /** Maximum size of an event or turn in the larger form; the rest of a message is for the record around it. */
  bytes: defaultLimits.maxBytes - 16 * 1024,
  /** Size of the pieces of a long text. A character takes at most six bytes of JSON. */
  pieceCharacters: 512 * 1024,
  /** Retained length of each text of an oversized turn. */
  turnCharacters: 64 * 1024,
} as const;

/** Error code of oversized messages, for agents and readers. */
export const tooLargeCode = "BATON-AGENT-008";

/** The size in the larger form if it exceeds the limit; usually undefined. */
export function bytesTooLarge<Desc extends DescMessage>(
  schema: Desc,
  message: MessageShape<Desc>,
  max: number = sizeLimits.bytes,
): number | undefined {
  const limits = { bytes: max, elements: Number.POSITIVE_INFINITY };
  if (surelyFits(message, limits, "either")) return undefined;
  if (surelyFits(message, limits, "json") && surelyFits(message, limits, "binary")) return undefined;
  const bytes = Math.max(measure(schema, message).bytes, toBinary(schema, message).length);
  return bytes > max ? bytes : undefined;
}
