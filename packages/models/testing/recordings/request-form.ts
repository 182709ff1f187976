import { createHash } from "node:crypto";
import { canonicalJson } from "@baton/contract";
import type { Redactor } from "@baton/kernel";
import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import type { ModelCall } from "../../src/calls/replaced-calls.ts";

/** A request as a recording has it: redacted, without what differs from run to run. */
export type RequestForm = JsonObject;

export interface FormOptions {
  readonly redactor: Redactor;
  /** Replaces what differs from run to run in a text. */
  readonly normalize: (text: string) => string;
}

/**
 * Left out: addresses and keys of the provider, signatures and other options of providers in messages. Ids of tool calls are
 * numbered in the order in which they appear; UUIDs and generated task ids in texts become `<id>`.
 */
export function requestForm(
  { model, request }: ModelCall,
  { redactor, normalize }: FormOptions,
): RequestForm {
  const { instructions, messages, tools, mayCallTools, schema, sampling } = request;
  const form = {
    model: model.model,
    instructions,
    messages,
    tools: tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
    mayCallTools,
    ...(schema && { schema }),
    sampling,
  };
  const plain = stable(JSON.parse(JSON.stringify(form)) as JsonValue, normalize, new Map());
  return redactor.redactValue(plain, "request").value as JsonObject;
}

/** SHA-256 of the form as canonical JSON (RFC 8785). */
export function digestOf(form: RequestForm): string {
  return `sha256:${createHash("sha256").update(canonicalJson(form)).digest("hex")}`;
}

const generated = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b|\btask-[0-9a-f]{16}\b/gi;

function stable(value: JsonValue, normalize: (text: string) => string, ids: Map<string, string>): JsonValue {
  if (typeof value === "string") return normalize(value.replaceAll(generated, "<id>"));
  if (Array.isArray(value)) return value.map((one) => stable(one, normalize, ids));
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).flatMap(([name, member]): [string, JsonValue][] => {
    if (name === "providerOptions" || name === "providerMetadata") return [];
    if (name !== "toolCallId" || typeof member !== "string") return [[name, stable(member, normalize, ids)]];
    const id = ids.get(member) ?? `call-${ids.size + 1}`;
    ids.set(member, id);
    return [[name, id]];
  });
  return Object.fromEntries(members);
}
