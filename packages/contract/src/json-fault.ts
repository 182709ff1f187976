import type { DescField, DescMessage, JsonValue } from "@bufbuild/protobuf";
import { hasCustomJsonRepresentation } from "@bufbuild/protobuf/wkt";
import type { Violation } from "./validate.ts";

type Decode = (schema: DescMessage, json: JsonValue) => unknown;

/**
 * Finds the field that a JSON decoder stumbled over. The decoder names the field but not the way to it, so each part
 * is decoded on its own until the one that fails has no parts that fail. Only the path of an error pays for it.
 */
export function locateJsonFault(schema: DescMessage, text: string, decode: Decode): Violation | undefined {
  try {
    return locate(schema, JSON.parse(text) as JsonValue, decode);
  } catch {
    return undefined; // Not even JSON: there are no fields to look at.
  }
}

function locate(schema: DescMessage, json: JsonValue, decode: Decode): Violation | undefined {
  const problem = tryDecode(schema, json, decode);
  if (problem === undefined) return undefined;
  for (const [field, name, part] of parts(schema, json)) {
    const inner = locate(field, part, decode);
    if (inner) return { ...inner, field: inner.field ? `${name}.${inner.field}` : name };
  }
  const [member, reason] = explain(schema, json, decode, problem);
  return { field: member, rule: "json", message: reason };
}

function tryDecode(schema: DescMessage, json: JsonValue, decode: Decode): string | undefined {
  try {
    decode(schema, json);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** The members of a JSON object that are messages themselves, with their path. */
function* parts(schema: DescMessage, json: JsonValue): Generator<[DescMessage, string, JsonValue]> {
  if (!isObject(json) || hasCustomJsonRepresentation(schema)) return;
  for (const [key, value] of Object.entries(json)) {
    const field = fieldNamed(schema, key);
    if (!field?.message || value === null || value === undefined) continue;
    if (field.fieldKind === "message") {
      yield [field.message, field.name, value];
    } else if (field.fieldKind === "list" && Array.isArray(value)) {
      for (const [index, item] of value.entries()) yield [field.message, `${field.name}[${index}]`, item];
    } else if (field.fieldKind === "map" && isObject(value)) {
      for (const [name, item] of Object.entries(value)) {
        if (item !== undefined) yield [field.message, `${field.name}[${JSON.stringify(name)}]`, item];
      }
    }
  }
}

/** Which member of this object is at fault: the one that cannot be decoded even alone. */
function explain(
  schema: DescMessage,
  json: JsonValue,
  decode: Decode,
  problem: string,
): [member: string, reason: string] {
  if (isObject(json) && !hasCustomJsonRepresentation(schema)) {
    for (const [key, value] of Object.entries(json)) {
      const alone = tryDecode(schema, { [key]: value }, decode);
      if (alone === undefined) continue;
      const field = fieldNamed(schema, key);
      return field
        ? [field.name, reasonOf(alone, expectation(field))]
        : [key, "is not a field of the message"];
    }
  }
  return ["", reasonOf(problem, forms[schema.typeName] ?? "an object")];
}

/** The decoder tells either the whole reason or only the value it did not like. */
function reasonOf(problem: string, expected: string): string {
  const reason = problem.replace(/^cannot decode \w+ \S+ from JSON:? /, "");
  return /expected|must|invalid|multiple/.test(reason) ? reason : `expected ${expected}, got ${reason}`;
}

const forms: Record<string, string> = {
  "google.protobuf.Timestamp": 'a time such as "2026-01-01T12:00:00Z"',
  "google.protobuf.Duration": 'a duration such as "1.5s"',
};

function expectation(field: DescField): string {
  if (field.enum) return `a value of ${field.enum.name}`;
  return forms[field.message?.typeName ?? ""] ?? "an object";
}

function fieldNamed(schema: DescMessage, key: string): DescField | undefined {
  return schema.fields.find(({ jsonName, name }) => jsonName === key || name === key);
}

function isObject(json: JsonValue): json is { [key: string]: JsonValue } {
  return typeof json === "object" && json !== null && !Array.isArray(json);
}
