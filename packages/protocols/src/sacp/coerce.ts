import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { deepest } from "./lenient/read-leniently.ts";

/** References to follow for one value. */
const mostReferences = 16;

/** Parts of all values and schemas that are looked at. */
const mostSteps = 200_000;

/**
 * Brings values to the types of their schema where nothing is lost: numbers, booleans, objects and lists that are written in a
 * text, and one value where a list is wanted. Everything else stays as it is. Reports the path of each change.
 */
export function coerce(
  schema: JsonObject,
  value: JsonValue,
  report: (path: string) => void,
  path = "",
): JsonValue {
  return new Coercion(schema, report).apply(schema, value, path, 0);
}

class Coercion {
  readonly #root: JsonObject;
  readonly #report: (path: string) => void;
  #steps = 0;

  constructor(root: JsonObject, report: (path: string) => void) {
    this.#root = root;
    this.#report = report;
  }

  apply(given: JsonValue | undefined, value: JsonValue, path: string, depth: number): JsonValue {
    const schema = this.#resolve(given);
    if (schema === undefined || depth > deepest || ++this.#steps > mostSteps) return value;
    let fitting = this.#toType(schema, value, path, depth);
    if (Array.isArray(schema.allOf))
      for (const part of schema.allOf) fitting = this.apply(part, fitting, path, depth + 1);
    if (Array.isArray(fitting)) return this.#items(schema, fitting, path, depth);
    return isObject(fitting) ? this.#members(schema, fitting, path, depth) : fitting;
  }

  #toType(schema: JsonObject, value: JsonValue, path: string, depth: number): JsonValue {
    const types = Array.isArray(schema.type) ? schema.type : [schema.type];
    if (schema.type === undefined || types.some((type) => isOfType(value, type))) return value;
    const possible = types.flatMap((type) => this.#convert(schema, value, type, path, depth));
    // Two types that both fit would be a guess.
    const [only] = possible;
    if (possible.length !== 1 || only === undefined) return value;
    this.#report(path);
    return only;
  }

  #convert(
    schema: JsonObject,
    value: JsonValue,
    type: JsonValue | undefined,
    path: string,
    depth: number,
  ): JsonValue[] {
    if (typeof value === "string") {
      const read = fromText(value.trim(), type);
      if (read !== undefined) return [read];
    }
    if (type !== "array" || Array.isArray(value) || value === null) return [];
    const item = this.#resolve(schema.items);
    // Only when the value is an item as it stands: two steps would be a guess.
    if (item === undefined || !fitsType(item, value)) return [];
    return [[this.apply(item, value, `${path}[0]`, depth + 1)]];
  }

  #items(schema: JsonObject, items: JsonValue[], path: string, depth: number): JsonValue[] {
    const first = Array.isArray(schema.prefixItems) ? schema.prefixItems : [];
    if (schema.items === undefined && first.length === 0) return items;
    return items.map((item, at) => this.apply(first[at] ?? schema.items, item, `${path}[${at}]`, depth + 1));
  }

  #members(schema: JsonObject, object: JsonObject, path: string, depth: number): JsonObject {
    const known = isObject(schema.properties) ? schema.properties : {};
    const entries = Object.entries(object).map(([name, member]) => {
      const part = Object.hasOwn(known, name) ? known[name] : schema.additionalProperties;
      return [name, this.apply(part, member, `${path}.${name}`, depth + 1)] as const;
    });
    return Object.fromEntries(entries);
  }

  /** Only references within the schema are followed. */
  #resolve(given: JsonValue | undefined): JsonObject | undefined {
    let schema = given;
    for (let step = 0; isObject(schema) && typeof schema.$ref === "string"; step++) {
      if (step === mostReferences || !schema.$ref.startsWith("#")) return undefined;
      schema = this.#find(schema.$ref);
    }
    return isObject(schema) ? schema : undefined;
  }

  #find(reference: string): JsonValue | undefined {
    let found: JsonValue | undefined = this.#root;
    for (const part of reference.slice(1).split("/").slice(1)) {
      const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
      const members: JsonValue | undefined = found;
      found =
        (isObject(members) || Array.isArray(members)) && Object.hasOwn(members, name)
          ? (members as JsonObject)[name]
          : undefined;
    }
    return found;
  }
}

/** A value that a text is, of a type. */
function fromText(text: string, type: JsonValue | undefined): JsonValue | undefined {
  if (type === "number" || type === "integer") {
    const value = Number(text);
    return isExactNumber(text, value) && (type === "number" || Number.isInteger(value)) ? value : undefined;
  }
  if (type === "boolean") {
    const lower = text.toLowerCase();
    return lower === "true" || lower === "false" ? lower === "true" : undefined;
  }
  if (type !== "object" && type !== "array") return undefined;
  try {
    const value = JSON.parse(text) as JsonValue;
    return isOfType(value, type) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a text is a number of JSON that has room for all its digits. */
function isExactNumber(text: string, value: number): boolean {
  if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d{1,3})?$/.test(text) || !Number.isFinite(value))
    return false;
  const digits = text
    .replace(/[eE].*/, "")
    .replaceAll(/[-.]/g, "")
    .replace(/^0+/, "");
  return digits.length <= 15;
}

function fitsType({ type }: JsonObject, value: JsonValue): boolean {
  if (type === undefined) return false;
  return (Array.isArray(type) ? type : [type]).some((one) => isOfType(value, one));
}

function isOfType(value: JsonValue, type: JsonValue | undefined): boolean {
  if (type === "null") return value === null;
  if (type === "array") return Array.isArray(value);
  if (type === "object") return isObject(value);
  if (type === "integer") return Number.isInteger(value);
  return typeof value === type;
}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
