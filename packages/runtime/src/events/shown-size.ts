/**
 * What agents tell has to fit into a message when it is shown, in binary and in JSON, after its secrets were masked: markers
 * are often longer than what they stand for.
 */
import { defaultLimits } from "@baton/contract";
import { type DescMessage, type MessageShape, toBinary } from "@bufbuild/protobuf";
import { measure, surelyFits } from "../views/measure.ts";

export const shownLimits = {
  /** Of an event or a turn, in the larger of both forms: the rest of a message is for the record around it. */
  bytes: defaultLimits.maxBytes - 16 * 1024,
  /** Of a text that is told in pieces; a character takes six bytes of JSON at the most. */
  pieceCharacters: 512 * 1024,
  /** What is shown of each text of a turn that is too large. */
  turnCharacters: 64 * 1024,
} as const;

/** What is told of something that is larger than that, to whoever said it and to whoever looks. */
export const tooLargeCode = "BATON-AGENT-008";

/** How large it is in the larger form when that is too large; undefined when it fits, as almost everything does. */
export function bytesTooLarge<Desc extends DescMessage>(
  schema: Desc,
  message: MessageShape<Desc>,
  most: number = shownLimits.bytes,
): number | undefined {
  const room = { bytes: most, elements: Number.POSITIVE_INFINITY };
  if (surelyFits(message, room, "either")) return undefined;
  if (surelyFits(message, room, "json") && surelyFits(message, room, "binary")) return undefined;
  const bytes = Math.max(measure(schema, message).bytes, toBinary(schema, message).length);
  return bytes > most ? bytes : undefined;
}
