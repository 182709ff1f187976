import {
  type DescEnum,
  type DescField,
  type DescMessage,
  type JsonValue,
  ScalarType,
} from "@bufbuild/protobuf";
import { hasCustomJsonRepresentation } from "@bufbuild/protobuf/wkt";
import { nearest } from "../text/nearest.ts";
import { shorten } from "../text/shorten.ts";
import type { Violation } from "../validation/validate.ts";
import { isCalendarTime } from "./calendar.ts";

export type UnknownFields = "refuse" | "ignore";

/**
 * Walks parsed JSON by the descriptors, once, and finds what a decoder refuses without a position or accepts silently: an
 * unknown field or enum value, a date that does not exist, a number of a million digits. Removes ignored fields and the
 * null arm of a oneof.
 */
export function inspectJson(
  schema: DescMessage,
  json: JsonValue,
  unknown: UnknownFields,
): Violation | undefined {
  return inspectMessage(schema, json, "", unknown);
}

type Members = { [name: string]: JsonValue };

function inspectMessage(
  schema: DescMessage,
  json: JsonValue,
  path: string,
  unknown: UnknownFields,
): Violation | undefined {
  if (hasCustomJsonRepresentation(schema)) return inspectWellKnown(schema, json, path);
  if (!isObject(json)) return wrong(path, `expected an object, got ${kindOf(json)}`);
  const fields = fieldsOf(schema);
  for (const name of Object.keys(json)) {
    const field = fields.get(name);
    const value = json[name] as JsonValue;
    if (field === undefined) {
      if (unknown === "refuse")
        return wrong(join(path, shorten(name)), `is not a field of the message${hint(name, fields.keys())}`);
      delete json[name];
    } else if (value === null) {
      if (field.oneof) delete json[name];
    } else {
      const fault = inspectField(field, value, join(path, field.name), unknown);
      if (fault) return fault;
    }
  }
  return undefined;
}

function inspectField(
  field: DescField,
  json: JsonValue,
  path: string,
  unknown: UnknownFields,
): Violation | undefined {
  if (field.fieldKind === "list") {
    if (!Array.isArray(json)) return wrong(path, `expected a list, got ${kindOf(json)}`);
    for (let index = 0; index < json.length; index++) {
      const fault = inspectValue(field, json[index] as JsonValue, `${path}[${index}]`, unknown);
      if (fault) return fault;
    }
    return undefined;
  }
  return field.fieldKind === "map" ? undefined : inspectValue(field, json, path, unknown);
}

function inspectValue(
  field: DescField,
  json: JsonValue,
  path: string,
  unknown: UnknownFields,
): Violation | undefined {
  if (json === null) return wrong(path, "must not be null");
  if (field.message) return inspectMessage(field.message, json, path, unknown);
  if (field.enum) return inspectEnum(field.enum, json, path);
  return inspectScalar(field.scalar as ScalarType, json, path);
}

function inspectEnum(schema: DescEnum, json: JsonValue, path: string): Violation | undefined {
  const isValue =
    typeof json === "string"
      ? namesOf(schema).has(json)
      : typeof json === "number" && Number.isInteger(json) && json === (json | 0);
  if (isValue) return undefined;
  const suggestion = typeof json === "string" ? hint(json, namesOf(schema)) : "";
  return wrong(path, `expected a value of ${schema.name}, got ${show(json)}${suggestion}`);
}

/** Twenty characters hold any number of 64 bits; a decoder would take its time over a million. */
const longestNumber = 32;

function inspectScalar(scalar: ScalarType, json: JsonValue, path: string): Violation | undefined {
  const expected = scalarNames[scalar] ?? "a value";
  if (scalar === ScalarType.STRING || scalar === ScalarType.BYTES) {
    return typeof json === "string" ? undefined : wrong(path, `expected ${expected}, got ${kindOf(json)}`);
  }
  if (scalar === ScalarType.BOOL) {
    return typeof json === "boolean" ? undefined : wrong(path, `expected ${expected}, got ${kindOf(json)}`);
  }
  if (typeof json !== "number" && typeof json !== "string") {
    return wrong(path, `expected ${expected}, got ${kindOf(json)}`);
  }
  if (!fits[scalar]?.(json)) return wrong(path, `expected ${expected}, got ${show(json)}`);
  return undefined;
}

/** Whether a number, or its text, is one of this type. Numbers may be written as text, and whole ones as 1.0 or 1e3. */
const fits: Partial<Record<ScalarType, (json: number | string) => boolean>> = {
  [ScalarType.INT32]: (json) => isWhole(json) && Math.abs(Number(json) + 0.5) < 2 ** 31,
  [ScalarType.INT64]: (json) => isWhole(json) && inLongRange(json),
  [ScalarType.DOUBLE]: (json) =>
    typeof json === "number" ||
    notNumbers.has(json) ||
    (isShort(json) && Number.isFinite(Number(json)) && json.trim() !== ""),
};

const notNumbers = new Set(["NaN", "Infinity", "-Infinity"]);

function isWhole(json: number | string): boolean {
  return isShort(String(json)) && (typeof json === "number" ? Number.isInteger(json) : /^-?\d+$/.test(json));
}

function isShort(text: string): boolean {
  return text.length <= longestNumber;
}

function inLongRange(json: number | string): boolean {
  const value = BigInt(json);
  return value >= -(2n ** 63n) && value < 2n ** 63n;
}

const scalarNames: Partial<Record<ScalarType, string>> = {
  [ScalarType.STRING]: "a text",
  [ScalarType.BYTES]: "a text in base64",
  [ScalarType.BOOL]: "true or false",
  [ScalarType.INT32]: "a whole number of 32 bits",
  [ScalarType.INT64]: "a whole number of 64 bits",
  [ScalarType.DOUBLE]: "a number",
};

function inspectWellKnown(schema: DescMessage, json: JsonValue, path: string): Violation | undefined {
  switch (schema.typeName) {
    case "google.protobuf.Timestamp":
      if (typeof json === "string" && isCalendarTime(json)) return undefined;
      return wrong(path, `expected a time such as "2026-01-01T12:00:00Z", got ${show(json)}`);
    case "google.protobuf.Duration":
      if (typeof json === "string" && /^-?\d{1,12}(\.\d{1,9})?s$/.test(json)) return undefined;
      return wrong(path, `expected a duration such as "1.5s", got ${show(json)}`);
    case "google.protobuf.Struct":
      return isObject(json) ? undefined : wrong(path, `expected an object, got ${kindOf(json)}`);
    default:
      return undefined;
  }
}

const fieldTables = new WeakMap<DescMessage, Map<string, DescField>>();

/** By the name in JSON and by the name in the proto file; both are allowed. */
function fieldsOf(schema: DescMessage): Map<string, DescField> {
  let table = fieldTables.get(schema);
  if (!table) {
    table = new Map(
      schema.fields.flatMap((field) => [[field.jsonName, field] as const, [field.name, field] as const]),
    );
    fieldTables.set(schema, table);
  }
  return table;
}

const enumTables = new WeakMap<DescEnum, Set<string>>();

function namesOf(schema: DescEnum): Set<string> {
  let names = enumTables.get(schema);
  if (!names) {
    names = new Set(schema.values.map(({ name }) => name));
    enumTables.set(schema, names);
  }
  return names;
}

function hint(name: string, known: Iterable<string>): string {
  const near = nearest(name, known);
  return near === undefined ? "" : `; did you mean ${near}?`;
}

function wrong(field: string, message: string): Violation {
  return { field, rule: "json", message };
}

function join(path: string, name: string): string {
  return path ? `${path}.${name}` : name;
}

function isObject(json: JsonValue): json is Members {
  return typeof json === "object" && json !== null && !Array.isArray(json);
}

function kindOf(json: JsonValue): string {
  if (Array.isArray(json)) return "a list";
  return typeof json === "object" && json !== null ? "an object" : show(json);
}

/** Shortened before it is quoted: quoting four million digits takes longer than refusing them. */
function show(json: JsonValue): string {
  if (typeof json === "object" && json !== null) return kindOf(json);
  return JSON.stringify(typeof json === "string" ? shorten(json) : json);
}
