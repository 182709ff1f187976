import type { JsonObject, JsonValue } from "@bufbuild/protobuf";

/** A part of a JSON Schema that describes a value. References lead to the root. */
export interface SchemaAt {
  readonly root: JsonObject;
  readonly schema: JsonValue;
}

/** What a schema says about a member of the value. */
export type SchemaMember =
  | { readonly kind: "known"; readonly at: SchemaAt }
  /** The schema does not say. */
  | { readonly kind: "unknown" }
  | Missing;

interface Missing {
  readonly kind: "missing";
  readonly why: string;
  /** The fields that the schema has instead, if the value is an object. */
  readonly fields?: readonly string[];
}

const unknown: SchemaMember = { kind: "unknown" };

/** References and combinations that are followed. */
const maxDepth = 32;

/** A member by its name, or an element of a list by its index. */
export function schemaMember(at: SchemaAt, step: string | number, depth = 0): SchemaMember {
  const schema = resolve(at, depth);
  if (!isObject(schema)) return unknown;
  const found = [
    ownMember({ root: at.root, schema }, schema, step),
    ...partsOf(schema, "allOf").map((part) => schemaMember({ ...at, schema: part }, step, depth + 1)),
  ];
  for (const name of ["anyOf", "oneOf"]) {
    const parts = partsOf(schema, name);
    if (parts.length > 0)
      found.push(anyMember(parts.map((part) => schemaMember({ ...at, schema: part }, step, depth + 1))));
  }
  const known = found.find(({ kind }) => kind === "known");
  if (known) return known;
  const missing = mergeMissing(found.filter((one) => one.kind === "missing"));
  // Conditions within a schema may add members.
  const isOpen = ["if", "dependentSchemas", "not"].some((name) => Object.hasOwn(schema, name));
  return missing && !isOpen ? missing : unknown;
}

/** Combined schemas add their fields up. */
function mergeMissing(all: readonly Missing[]): Missing | undefined {
  const plain = all.find(({ fields }) => fields === undefined);
  return plain ?? (all.length === 0 ? undefined : missingField(all.flatMap(({ fields = [] }) => fields)));
}

/** Fields in a message. */
const maxFields = 10;

function missingField(names: readonly string[]): Missing {
  const fields = [...new Set(names)];
  const more = fields.length > maxFields ? " and more" : "";
  const listed = `${fields.slice(0, maxFields).join(", ")}${more}`;
  return { kind: "missing", why: fields.length === 0 ? "it has no fields" : `it has ${listed}`, fields };
}

function anyMember(found: readonly SchemaMember[]): SchemaMember {
  const known = found.filter(({ kind }) => kind === "known");
  if (known.length === 1 && found.length === 1) return known[0] ?? unknown;
  return found.every(({ kind }) => kind === "missing") ? (found[0] ?? unknown) : unknown;
}

function ownMember(at: SchemaAt, schema: JsonObject, step: string | number): SchemaMember {
  const wanted = typeof step === "number" ? "array" : "object";
  const types = typesOf(schema);
  if (types.length > 0 && !types.includes(wanted))
    return { kind: "missing", why: `it is ${types.map(inWords).join(" or ")}` };
  return typeof step === "number" ? element(at, schema, step) : property(at, schema, step);
}

function property({ root }: SchemaAt, schema: JsonObject, name: string): SchemaMember {
  const { properties, patternProperties, additionalProperties: others } = schema;
  if (isObject(properties) && Object.hasOwn(properties, name))
    return { kind: "known", at: { root, schema: properties[name] ?? true } };
  if (isObject(patternProperties)) return unknown;
  if (isObject(others)) return { kind: "known", at: { root, schema: others } };
  if (others === true || (others === undefined && !isObject(properties))) return unknown;
  return missingField(isObject(properties) ? Object.keys(properties) : []);
}

function element({ root }: SchemaAt, { prefixItems, items }: JsonObject, index: number): SchemaMember {
  const first = Array.isArray(prefixItems) ? prefixItems[index] : undefined;
  if (first !== undefined) return { kind: "known", at: { root, schema: first } };
  return isObject(items) ? { kind: "known", at: { root, schema: items } } : unknown;
}

/** The only type of the value; undefined when there may be several, or it is not stated. */
export function schemaType(at: SchemaAt): string | undefined {
  const schema = resolve(at, 0);
  if (!isObject(schema)) return undefined;
  const types = typesOf(schema);
  if (types.length > 0) return types.length === 1 ? types[0] : undefined;
  const combined = partsOf(schema, "allOf").map((part) => schemaType({ ...at, schema: part }));
  return combined.find((type) => type !== undefined);
}

function typesOf({ type }: JsonObject): readonly string[] {
  return (Array.isArray(type) ? type : [type]).filter((name) => typeof name === "string");
}

function partsOf(schema: JsonObject, name: string): readonly JsonValue[] {
  const parts = schema[name];
  return Array.isArray(parts) ? parts : [];
}

/** Follows references within the schema. */
function resolve({ root, schema }: SchemaAt, depth: number): JsonValue | undefined {
  let at: JsonValue | undefined = schema;
  for (let taken = depth; taken < maxDepth; taken++) {
    if (!isObject(at)) return at;
    const reference: JsonValue | undefined = at.$ref;
    if (typeof reference !== "string") return at;
    at = pointed(root, reference);
  }
  return undefined;
}

function pointed(root: JsonObject, reference: string): JsonValue | undefined {
  let at: JsonValue | undefined = root;
  for (const part of reference.split("/").slice(1)) {
    const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof at !== "object" || at === null) return undefined;
    at = (at as Readonly<Record<string, JsonValue>>)[name];
  }
  return at;
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A type of JSON Schema in a sentence. */
export function inWords(type: string): string {
  const words: Readonly<Record<string, string>> = {
    ...{ string: "text", number: "a number", integer: "a number", boolean: "true or false" },
    ...{ array: "a list", object: "an object", null: "null" },
  };
  return words[type] ?? type;
}
