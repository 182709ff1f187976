import { measure, surelyFits } from "@baton/runtime";
import { create, type DescMessage, type MessageInitShape, type MessageShape } from "@bufbuild/protobuf";
import { Code, type ConnectError, type HandlerContext } from "@connectrpc/connect";
import { withDetail } from "../rpc/refuse.ts";
import type { ServerErrorCode } from "../server-error.ts";

const id: ServerErrorCode = "BATON-SERVER-014";

/**
 * Refuses an answer that is larger than a message may be, before Connect does it without a word on what to do. It is JSON
 * that grows so large: in binary form, nothing is larger than the messages that it came with.
 */
export function refuseLarge<O extends DescMessage>(
  schema: O,
  given: MessageInitShape<O>,
  { responseHeader }: Pick<HandlerContext, "responseHeader">,
  mostBytes: number,
): void {
  if (!responseHeader.get("content-type")?.includes("json")) return;
  if (surelyFits(given, { bytes: mostBytes, elements: Number.POSITIVE_INFINITY })) return;
  const answer = create(schema, given);
  const { bytes } = measure(schema, answer);
  if (bytes > mostBytes) throw tooLarge(schema, answer, bytes, mostBytes);
}

function tooLarge<O extends DescMessage>(
  schema: O,
  answer: MessageShape<O>,
  bytes: number,
  mostBytes: number,
): ConnectError {
  const message = `the answer has ${bytes} bytes as JSON, and a message has ${mostBytes} at the most`;
  const [largest] = schema.fields
    .map(({ name, localName }) => ({ name, bytes: sizeOf(Reflect.get(answer, localName)) }))
    .toSorted((a, b) => b.bytes - a.bytes);
  return withDetail(Code.ResourceExhausted, {
    code: id,
    message,
    fix: "ask in binary form, which is smaller: over gRPC, or with content-type application/proto; a list can be asked for in smaller pages",
    violations: [
      { field: largest?.name ?? "", rule: id, message: "this field of the answer is the largest" },
    ],
  });
}

/** About, and only to be compared: numbers of 64 bits are no JSON. */
function sizeOf(value: unknown): number {
  const text = JSON.stringify(value, (_, one) => (typeof one === "bigint" ? String(one) : one)) ?? "";
  return text.length;
}
