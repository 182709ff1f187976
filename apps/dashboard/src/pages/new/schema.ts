import schema from "@baton/contract/schemas/SubmitTaskRequest.schema.json" with { type: "json" };

/** The part of JSON Schema that the form uses. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly minLength?: number;
  readonly minItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

interface Root extends Schema {
  readonly $defs: Readonly<Record<string, Schema>>;
}

const root = schema as unknown as Root;

export const submitSchema: Schema = root;

/** Resolves a reference. Its own description takes precedence. */
export function resolve(given: Schema): Schema {
  const { $ref, ...own } = given;
  if ($ref === undefined) return given;
  const target = root.$defs[$ref.replace("#/$defs/", "")] ?? {};
  return { ...target, ...own };
}

/** The names of an enum, without the unspecified one. */
export function namesOf(given: Schema): readonly string[] | undefined {
  const found = [given, ...(given.anyOf ?? []), ...(given.oneOf ?? [])].find((one) => one.enum);
  const names = found?.enum?.filter((name): name is string => typeof name === "string");
  return names && names.length > 0 ? names.filter((name) => !name.endsWith("_UNSPECIFIED")) : undefined;
}

export type FieldKind =
  | "text"
  | "texts"
  | "names"
  | "yes-no"
  | "number"
  | "dollars"
  | "instant"
  | "duration"
  | "parts"
  | "json";

/** The kind of a field by its schema; amounts of money are recognised by name. */
export function kindOf(given: Schema, name = ""): FieldKind {
  if (given.$ref?.endsWith("google.protobuf.Timestamp")) return "instant";
  if (given.$ref?.endsWith("google.protobuf.Duration")) return "duration";
  if (name === "maxCostMicroUsd") return "dollars";
  const whole = resolve(given);
  // 64-bit numbers may be strings.
  if (whole.anyOf?.some(({ type }) => type === "integer")) return "number";
  if (namesOf(whole)) return "names";
  if (whole.type === "string") return "text";
  if (whole.type === "boolean") return "yes-no";
  if (whole.type === "integer" || whole.type === "number") return "number";
  if (whole.type === "array" && whole.items && resolve(whole.items).type === "string") return "texts";
  return whole.type === "object" && whole.properties ? "parts" : "json";
}
