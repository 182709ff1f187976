import { type Form, measure, surelyFits } from "@baton/runtime";
import {
  create,
  type DescMessage,
  type DescMethod,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";
import { tooLarge } from "../errors/too-large.ts";

/**
 * Refuses an answer, or a message of a stream, that is larger than a message may be, before Connect does it without a word on
 * what to do.
 */
export function refuseLarge<O extends DescMessage>(
  { output: schema, methodKind }: DescMethod & { readonly output: O },
  { responseHeader }: Pick<HandlerContext, "responseHeader">,
  mostBytes: number,
): (given: MessageInitShape<O>) => void {
  const form = responseHeader.get("content-type")?.includes("json") ? "json" : "binary";
  const what = methodKind === "unary" ? "the answer" : "a message of the stream";
  const room = { bytes: mostBytes, elements: Number.POSITIVE_INFINITY };
  return (given) => {
    if (surelyFits(given, room, form)) return;
    const answer = create(schema, given);
    const bytes = sizeIn(form, schema, answer);
    if (bytes <= mostBytes) return;
    const fitsInBinary = form === "json" && sizeIn("binary", schema, answer) <= mostBytes;
    throw tooLarge(schema, answer, { what, form, bytes, mostBytes, fitsInBinary });
  };
}

function sizeIn<O extends DescMessage>(form: Form, schema: O, answer: MessageShape<O>): number {
  return form === "json" ? measure(schema, answer).bytes : toBinary(schema, answer).length;
}
