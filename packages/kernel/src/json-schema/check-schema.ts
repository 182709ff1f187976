import { findBomb } from "./find-bomb.ts";
import { formats } from "./formats.ts";
import { isMap, resolvePointer } from "./json.ts";
import { schemaLimits } from "./limits.ts";
import { patternParts, refusePattern } from "./pattern.ts";

/** A fault of a JSON Schema, with its path. */
export interface SchemaFault {
  /** Such as `.properties.size.minimum`; empty for the whole. */
  readonly path: string;
  readonly message: string;
}

/**
 * Finds why a value is no JSON Schema (2020-12) that the hub enforces, or one that nothing can satisfy: otherwise agents would
 * be blamed for a mistake of its author. A keyword without effect here is refused; annotations and names that begin with `x-`
 * pass. The work is bounded by the size of the schema, which is checked first.
 */
export function checkJsonSchema(schema: unknown): readonly SchemaFault[] {
  const tooLarge = findTooLarge(schema);
  if (tooLarge !== undefined) return [{ path: "", message: tooLarge }];
  const checking: Checking = {
    root: schema,
    faults: [],
    schemas: new Set(),
    references: [],
    patternParts: 0,
  };
  checkSchema(schema, "", checking, 0);
  if (checking.faults.length === 0) checkReferences(checking);
  const bomb = checking.faults.length === 0 ? findBomb(schema, checking.schemas) : undefined;
  if (bomb !== undefined) fault(checking, "", bomb);
  return checking.faults.slice(0, schemaLimits.faults);
}

interface Checking {
  readonly root: unknown;
  readonly faults: SchemaFault[];
  /** What is a schema by its position: the targets that a reference may have. */
  readonly schemas: Set<unknown>;
  readonly references: { readonly reference: string; readonly path: string }[];
  patternParts: number;
}

/** Objects and lists, and characters, counted until there are too many. */
function findTooLarge(schema: unknown): string | undefined {
  let nodes = 0;
  let chars = 0;
  const open: unknown[] = [schema];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value === "string") chars += value.length;
    if (typeof value === "object" && value !== null) {
      nodes++;
      for (const [name, member] of Object.entries(value)) {
        chars += 1 + (Array.isArray(value) ? 0 : name.length);
        open.push(member);
      }
    }
    if (nodes > schemaLimits.nodes) return `has more than ${schemaLimits.nodes} parts`;
    if (chars > schemaLimits.chars) return `has more than ${schemaLimits.chars} characters`;
  }
  return undefined;
}

type Keyword = (value: unknown, path: string, checking: Checking, depth: number) => void;

const types = ["array", "boolean", "integer", "null", "number", "object", "string"];

const typeName: Keyword = (value, path, checking) => {
  const names = Array.isArray(value) ? value : [value];
  const unknown = names.find((name) => typeof name !== "string" || !types.includes(name));
  if (names.length === 0) fault(checking, path, "names no type");
  if (new Set(names).size < names.length) fault(checking, path, "names a type twice");
  if (unknown !== undefined)
    fault(checking, path, `${JSON.stringify(unknown)} is not a type; the types are ${types.join(", ")}`);
};
const schema: Keyword = (value, path, checking, depth) => checkSchema(value, path, checking, depth + 1);
const schemas: Keyword = (value, path, checking, depth) => {
  if (!isMap(value)) return fault(checking, path, "must hold names and schemas");
  for (const [name, one] of Object.entries(value)) checkSchema(one, `${path}.${name}`, checking, depth + 1);
};
const schemaList: Keyword = (value, path, checking, depth) => {
  if (!Array.isArray(value) || value.length === 0)
    return fault(checking, path, "must be a list of schemas that is not empty");
  for (const [index, one] of value.entries()) checkSchema(one, `${path}[${index}]`, checking, depth + 1);
};
const names: Keyword = (value, path, checking) => {
  const fits = Array.isArray(value) && value.every((one) => typeof one === "string");
  if (!fits || new Set(value).size < value.length) fault(checking, path, "must be a list of different names");
};
const expecting =
  (holds: (value: unknown) => boolean, message: string): Keyword =>
  (value, path, checking) => {
    if (!holds(value)) fault(checking, path, message);
  };
const count = expecting(
  (value) => Number.isSafeInteger(value) && Number(value) >= 0,
  "must be a whole number of 0 or more",
);
const number = expecting((value) => Number.isFinite(value), "must be a number");
/** RE2 runs in linear time and has no look-around or backreferences, so no pattern can stall the hub. */
const pattern: Keyword = (value, path, checking) => {
  if (typeof value !== "string") return fault(checking, path, "is not a regular expression");
  checking.patternParts += patternParts(value);
  if (checking.patternParts > schemaLimits.patternParts && value.length <= schemaLimits.patternChars)
    return fault(checking, path, "has patterns that are too large together, or repeat too much");
  const why = refusePattern(value);
  if (why !== undefined) fault(checking, path, `is not a regular expression that RE2 takes: ${why}`);
};
const reference: Keyword = (value, path, checking) => {
  if (typeof value !== "string" || !/^#(\/|$)/.test(value))
    fault(checking, path, "must refer to a part of the same schema, such as #/$defs/name");
  else checking.references.push({ reference: value, path });
};
const format: Keyword = (value, path, checking) => {
  if (typeof value === "string" && Object.hasOwn(formats, value)) return;
  const known = Object.keys(formats).join(", ");
  fault(checking, path, `${JSON.stringify(value)} is not checked here; use a pattern, or one of ${known}`);
};

/** Keywords that a check applies. */
export const enforced: Readonly<Record<string, Keyword>> = {
  type: typeName,
  ...{ properties: schemas, dependentSchemas: schemas },
  patternProperties: (value, path, checking, depth) => {
    schemas(value, path, checking, depth);
    for (const name of Object.keys(isMap(value) ? value : {})) pattern(name, path, checking, depth);
  },
  dependentRequired: (value, path, checking, depth) => {
    if (!isMap(value)) return fault(checking, path, "must hold names and lists of names");
    for (const [name, one] of Object.entries(value)) names(one, `${path}.${name}`, checking, depth);
  },
  ...{ allOf: schemaList, anyOf: schemaList, oneOf: schemaList, prefixItems: schemaList },
  ...{ items: schema, contains: schema, not: schema, if: schema, else: schema, propertyNames: schema },
  // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
  then: schema,
  ...{ additionalProperties: schema, unevaluatedProperties: schema, unevaluatedItems: schema },
  required: names,
  enum: expecting((value) => Array.isArray(value) && value.length > 0, "must list values"),
  const: () => undefined,
  ...{ minLength: count, maxLength: count, minItems: count, maxItems: count },
  ...{ minProperties: count, maxProperties: count, minContains: count, maxContains: count },
  ...{ minimum: number, maximum: number, exclusiveMinimum: number, exclusiveMaximum: number },
  multipleOf: expecting((value) => Number.isFinite(value) && Number(value) > 0, "must be a number above 0"),
  uniqueItems: expecting((value) => typeof value === "boolean", "must be true or false"),
  ...{ pattern, format, $ref: reference },
};

/** Keywords that only describe, and places for schemas that are referred to. */
const annotations = new Set(
  "$schema $comment title description default examples deprecated readOnly writeOnly contentMediaType contentEncoding".split(
    " ",
  ),
);
const definitions: Readonly<Record<string, Keyword>> = { $defs: schemas, definitions: schemas };

/** What to write instead of keywords of other versions and dialects. */
const replacements: Readonly<Record<string, string>> = {
  dependencies: "write dependentRequired or dependentSchemas",
  additionalItems: "write prefixItems for the first items, and items for the others",
  nullable: 'add "null" to type',
  discriminator: "write a const in each alternative of oneOf",
  $anchor: "refer to a part by its path, such as #/$defs/name",
  $dynamicRef: "write $ref",
  $recursiveRef: "write $ref",
  id: "leave it out",
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

function checkSchema(value: unknown, path: string, checking: Checking, depth: number): void {
  if (typeof value === "boolean") return;
  if (!isMap(value)) return fault(checking, path, "must be a schema: fields such as type and properties");
  if (depth > schemaLimits.depth) return fault(checking, path, `is nested deeper than ${schemaLimits.depth}`);
  checking.schemas.add(value);
  for (const [name, argument] of Object.entries(value)) {
    if (checking.faults.length >= schemaLimits.faults) return;
    checkKeyword(name, argument, path, checking, depth);
  }
  for (const [least, most] of ranges) {
    const [low, high] = [value[least], value[most]];
    if (typeof low === "number" && typeof high === "number" && low > high)
      fault(checking, `${path}.${least}`, `is above ${most}, so that nothing satisfies both`);
  }
}

function checkKeyword(
  name: string,
  argument: unknown,
  path: string,
  checking: Checking,
  depth: number,
): void {
  const keyword = Object.hasOwn(enforced, name)
    ? enforced[name]
    : Object.hasOwn(definitions, name)
      ? definitions[name]
      : undefined;
  if (keyword) return keyword(argument, `${path}.${name}`, checking, depth);
  // At the root, $id names the schema; within it, references would begin there.
  if (annotations.has(name) || name.startsWith("x-") || (name === "$id" && depth === 0)) return;
  const instead = Object.hasOwn(replacements, name)
    ? replacements[name]
    : "leave it out, or begin it with x-";
  fault(checking, `${path}.${name}`, `is not a keyword that is enforced here; ${instead}`);
}

function checkReferences(checking: Checking): void {
  for (const { reference: given, path } of checking.references) {
    const target = resolvePointer(checking.root, given);
    if (typeof target !== "boolean" && !checking.schemas.has(target))
      fault(checking, path, `leads to no schema: ${given}`);
  }
}

function fault({ faults }: Checking, path: string, message: string): void {
  faults.push({ path, message });
}
