import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { refusePattern } from "../graph/cel/pattern.ts";

/** A fault of a JSON Schema, with its path. */
interface SchemaFault {
  /** Such as `.properties.size.minimum`; empty for the whole. */
  readonly path: string;
  readonly message: string;
}

/**
 * Finds why a value is no JSON Schema (2020-12), or one that nothing can satisfy: otherwise agents would be blamed for a
 * mistake of its author. Unknown keywords are annotations and pass.
 */
export function checkJsonSchema(schema: unknown): readonly SchemaFault[] {
  if (countNodes(schema, schemaLimits.nodes) > schemaLimits.nodes)
    return fault("", `has more than ${schemaLimits.nodes} parts`);
  return checkSchema(schema, "", schema, 0);
}

/** Objects and lists, counted until there are too many. */
function countNodes(value: unknown, most: number): number {
  if (typeof value !== "object" || value === null) return 0;
  let count = 1;
  for (const member of Object.values(value)) {
    if (count > most) break;
    count += countNodes(member, most - count);
  }
  return count;
}

type Keyword = (value: unknown, path: string, root: unknown, depth: number) => readonly SchemaFault[];

const types = ["array", "boolean", "integer", "null", "number", "object", "string"];

const typeName: Keyword = (value, path) => {
  const names = Array.isArray(value) ? value : [value];
  const unknown = names.find((name) => !types.includes(String(name)) || typeof name !== "string");
  if (names.length === 0) return fault(path, "names no type");
  return unknown === undefined
    ? []
    : fault(path, `${JSON.stringify(unknown)} is not a type; the types are ${types.join(", ")}`);
};
const schemas: Keyword = (value, path, root, depth) =>
  isObject(value)
    ? Object.entries(value).flatMap(([name, one]) => checkSchema(one, `${path}.${name}`, root, depth + 1))
    : fault(path, "must hold names and schemas");
const schemaList: Keyword = (value, path, root, depth) =>
  Array.isArray(value) && value.length > 0
    ? value.flatMap((one, index) => checkSchema(one, `${path}[${index}]`, root, depth + 1))
    : fault(path, "must be a list of schemas that is not empty");
const schema: Keyword = (value, path, root, depth) => checkSchema(value, path, root, depth + 1);
const names: Keyword = (value, path) =>
  Array.isArray(value) &&
  value.every((one) => typeof one === "string") &&
  new Set(value).size === value.length
    ? []
    : fault(path, "must be a list of different names");
const count: Keyword = (value, path) =>
  Number.isSafeInteger(value) && Number(value) >= 0 ? [] : fault(path, "must be a whole number of 0 or more");
const number: Keyword = (value, path) => (Number.isFinite(value) ? [] : fault(path, "must be a number"));
const positive: Keyword = (value, path) =>
  Number.isFinite(value) && Number(value) > 0 ? [] : fault(path, "must be a number above 0");
const flag: Keyword = (value, path) =>
  typeof value === "boolean" ? [] : fault(path, "must be true or false");
/** RE2 runs in linear time and has no look-around or backreferences, so no pattern can stall the hub. */
const pattern: Keyword = (value, path) => {
  if (typeof value !== "string") return fault(path, "is not a regular expression");
  const why = refusePattern(value, schemaLimits.patternChars);
  return why === undefined ? [] : fault(path, `is not a regular expression that RE2 takes: ${why}`);
};
const reference: Keyword = (value, path, root) => {
  if (typeof value !== "string" || !/^#(\/|$)/.test(value))
    return fault(path, "must refer to a part of the same schema, such as #/$defs/name");
  return resolves(root, value) ? [] : fault(path, `leads nowhere: ${value}`);
};

const keywords: Readonly<Record<string, Keyword>> = {
  type: typeName,
  ...{ properties: schemas, $defs: schemas, definitions: schemas, dependentSchemas: schemas },
  patternProperties: (value, path, root, depth) => [
    ...schemas(value, path, root, depth),
    ...Object.keys(isObject(value) ? value : {}).flatMap((name) => pattern(name, path, root, depth)),
  ],
  ...{ allOf: schemaList, anyOf: schemaList, oneOf: schemaList, prefixItems: schemaList },
  ...{ items: schema, contains: schema, not: schema, if: schema, else: schema, propertyNames: schema },
  // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
  then: schema,
  ...{ additionalProperties: schema, unevaluatedProperties: schema, unevaluatedItems: schema },
  required: names,
  enum: (value, path) => (Array.isArray(value) && value.length > 0 ? [] : fault(path, "must list values")),
  ...{ minLength: count, maxLength: count, minItems: count, maxItems: count },
  ...{ minProperties: count, maxProperties: count, minContains: count, maxContains: count },
  ...{ minimum: number, maximum: number, exclusiveMinimum: number, exclusiveMaximum: number },
  ...{ multipleOf: positive, uniqueItems: flag, pattern, $ref: reference },
};

/** In each pair, the first must not exceed the second. */
const ranges = [
  ["minimum", "maximum"],
  ["exclusiveMinimum", "exclusiveMaximum"],
  ["minLength", "maxLength"],
  ["minItems", "maxItems"],
  ["minProperties", "maxProperties"],
  ["minContains", "maxContains"],
] as const;

function checkSchema(value: unknown, path: string, root: unknown, depth: number): readonly SchemaFault[] {
  if (typeof value === "boolean") return [];
  if (!isObject(value)) return fault(path, "must be a schema: fields such as type and properties");
  if (depth > schemaLimits.depth) return fault(path, `is nested deeper than ${schemaLimits.depth}`);
  return [
    ...Object.entries(value).flatMap(([name, said]) =>
      Object.hasOwn(keywords, name) ? (keywords[name]?.(said, `${path}.${name}`, root, depth) ?? []) : [],
    ),
    ...ranges.flatMap(([least, most]) => {
      const [low, high] = [value[least], value[most]];
      const isNone = typeof low === "number" && typeof high === "number" && low > high;
      return isNone ? fault(`${path}.${least}`, `is above ${most}, so that nothing satisfies both`) : [];
    }),
  ];
}

function resolves(root: unknown, reference: string): boolean {
  let here = root;
  for (const part of reference.split("/").slice(1)) {
    const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
    if (Array.isArray(here)) here = here[Number(name)];
    else here = isObject(here) && Object.hasOwn(here, name) ? here[name] : undefined;
  }
  return isObject(here) || typeof here === "boolean";
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function fault(path: string, message: string): readonly SchemaFault[] {
  return [{ path, message }];
}

/** Limits of JSON Schemas and of checks against them: schemas come from files and agents, values from agents. */
export const schemaLimits = {
  /** Nested schemas. */
  depth: 64,
  /** The same during a check, where references lead back into the schema. */
  applied: 256,
  /** Schemas in a schema, those of `$defs` included. */
  nodes: 10_000,
  /** Characters of one pattern. RE2 runs it in time linear in the text. */
  patternChars: 512,
  /** Steps of one check: a schema applied to a value, 64 characters of text, or a part of a pattern. */
  steps: 500_000,
  /** Violations that are reported. */
  violations: 100,
} as const;

/** Combines two schemas with `allOf`; references stay within their own schema. */
export function combineSchemas(a: JsonObject | undefined, b: JsonObject | undefined): JsonObject | undefined {
  if (!a || !b) return a ?? b;
  return { allOf: [rebase(a, "#/allOf/0"), rebase(b, "#/allOf/1")] };
}

function rebase(value: JsonValue, root: string): JsonValue {
  if (Array.isArray(value)) return value.map((item) => rebase(item, root));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      name === "$ref" && typeof member === "string" ? member.replace(/^#/, root) : rebase(member, root),
    ]),
  );
}
