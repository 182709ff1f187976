import type { DescField, JsonValue } from "@bufbuild/protobuf";
import type { FieldRule, PolicyPosition } from "./field-rules.ts";
import { redactString, type Walk } from "./redact-content.ts";
import { redactJson } from "./redact-value.ts";

/** Fields whose text is JSON, with the name by which a policy refers to its content. */
const names: ReadonlyMap<string, string> = new Map([["ResponseSnapshot.data_json", "data"]]);

/** Undefined for a field without JSON text. */
export function jsonContentName({ parent, name }: DescField): string | undefined {
  return names.get(`${parent.name}.${name}`);
}

/** Redacts the members of JSON text by their names, as in structured data. Other text is redacted as text. */
export function redactJsonText(
  walk: Walk,
  text: string,
  position: PolicyPosition,
  depth: number,
  inherited: FieldRule | undefined,
): string {
  const value = parse(text);
  return value === undefined
    ? redactString(walk, text, position.rule ?? inherited)
    : JSON.stringify(redactJson(walk, value, position, depth, inherited));
}

function parse(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
