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
 * Refuses a response, or a message of a stream, that is too large, before Connect does so without a fix.
 */
export function refuseLarge<O extends DescMessage>(
  { output: schema, methodKind }: DescMethod & { readonly output: O },
  { responseHeader }: Pick<HandlerContext, "responseHeader">,
  maxBytes: number,
): (given: MessageInitShape<O>) => void {
  const form = responseHeader.get("content-type")?.includes("json") ? "json" : "binary";
  const what = methodKind === "unary" ? "the answer" : "a message of the stream";
  const room = { bytes: maxBytes, elements: Number.POSITIVE_INFINITY };
  return (given) => {
    if (surelyFits(given, room, form)) return;
    const answer = create(schema, given);
    const bytes = sizeIn(form, schema, answer);
    if (bytes <= maxBytes) return;
    const fitsInBinary = form === "json" && sizeIn("binary", schema, answer) <= maxBytes;
    throw tooLarge(schema, answer, { what, form, bytes, maxBytes, fitsInBinary });
  };
}

function sizeIn<O extends DescMessage>(form: Form, schema: O, answer: MessageShape<O>): number {
  return form === "json" ? measure(schema, answer).bytes : toBinary(schema, answer).length;
}
