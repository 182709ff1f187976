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
  readonly maxBytes: number;
  /** Whether a JSON response would fit in binary form. */
  readonly fitsInBinary?: boolean;
}

/** The same over all protocols, except for the fix that only JSON has. */
export function tooLarge<Desc extends DescMessage>(
  schema: Desc,
  message: MessageShape<Desc>,
  { what, form, bytes, maxBytes, fitsInBinary = false }: TooLarge,
): ConnectError {
  const inForm = form === "json" ? " as JSON" : "";
  const [largest] = schema.fields
    .map((field) => ({ name: field.name, bytes: estimateBytes(fieldValue(message, field)) }))
    .toSorted((a, b) => b.bytes - a.bytes);
  return withDetail(Code.ResourceExhausted, {
    code: id,
    message: `${what} has ${bytes} bytes${inForm}, which exceeds the limit of ${maxBytes}`,
    fix: fitsInBinary
      ? "request the smaller binary form, over gRPC or with content-type application/proto; request lists in smaller pages"
      : "request less at once: a list in smaller pages, one stage of a pipeline, or one part of an attempt",
    violations: [{ field: largest?.name ?? "", rule: id, message: "the largest field" }],
  });
}

function fieldValue(message: object, { oneof, localName }: DescField): unknown {
  if (oneof === undefined) return Reflect.get(message, localName);
  const chosen: { readonly case?: string; readonly value?: unknown } = Reflect.get(message, oneof.localName);
  return chosen.case === localName ? chosen.value : undefined;
}

/** An estimate for comparisons; JSON.stringify does not accept 64-bit numbers. */
function estimateBytes(value: unknown): number {
  const text = JSON.stringify(value, (_, one) => (typeof one === "bigint" ? String(one) : one)) ?? "";
  return text.length;
}
