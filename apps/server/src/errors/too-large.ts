import type { Form } from "@baton/runtime";
import type { DescField, DescMessage, MessageShape } from "@bufbuild/protobuf";
import { Code, type ConnectError } from "@connectrpc/connect";
import type { ServerErrorCode } from "../server-error.ts";
import { withDetail } from "./refuse.ts";

const id: ServerErrorCode = "BATON-SERVER-014";

export interface TooLarge {
  readonly what: "the answer" | "a message of the stream";
  readonly form: Form;
  readonly bytes: number;
  readonly mostBytes: number;
  /** Of JSON, whether the other form would be small enough. */
  readonly fitsInBinary?: boolean;
}

/** The same over all protocols, but for the way out that JSON alone has. */
export function tooLarge<Desc extends DescMessage>(
  schema: Desc,
  message: MessageShape<Desc>,
  { what, form, bytes, mostBytes, fitsInBinary = false }: TooLarge,
): ConnectError {
  const inForm = form === "json" ? " as JSON" : "";
  const [largest] = schema.fields
    .map((field) => ({ name: field.name, bytes: aboutSizeOf(heldIn(message, field)) }))
    .toSorted((a, b) => b.bytes - a.bytes);
  return withDetail(Code.ResourceExhausted, {
    code: id,
    message: `${what} has ${bytes} bytes${inForm}, and a message has ${mostBytes} at the most`,
    fix: fitsInBinary
      ? "ask in binary form, which is smaller: over gRPC, or with content-type application/proto; a list can be asked for in smaller pages"
      : "ask for less at once: a list in smaller pages, one stage of a pipeline, or one part of an attempt",
    violations: [{ field: largest?.name ?? "", rule: id, message: "this field of it is the largest" }],
  });
}

function heldIn(message: object, { oneof, localName }: DescField): unknown {
  if (oneof === undefined) return Reflect.get(message, localName);
  const chosen: { readonly case?: string; readonly value?: unknown } = Reflect.get(message, oneof.localName);
  return chosen.case === localName ? chosen.value : undefined;
}

/** Only to be compared: numbers of 64 bits are no JSON. */
function aboutSizeOf(value: unknown): number {
  const text = JSON.stringify(value, (_, one) => (typeof one === "bigint" ? String(one) : one)) ?? "";
  return text.length;
}
