import schema from "@baton/contract/schemas/SubmitTaskRequest.schema.json" with { type: "json" };

/** A JSON Schema, as far as a form needs it. */
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

/** The message that a task is submitted with: the same schema that everybody else checks it by. */
export const submitSchema: Schema = root;

/** What a reference leads to, with the description that stands beside it. */
export function resolve(given: Schema): Schema {
  const { $ref, ...own } = given;
  if ($ref === undefined) return given;
  const target = root.$defs[$ref.replace("#/$defs/", "")] ?? {};
  return { ...target, ...own };
}

/** Names of an enum that a person chooses from; the one that says nothing stands for no choice. */
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

/** What a field holds, by its schema; the name says where a number is money. */
export function kindOf(given: Schema, name = ""): FieldKind {
  if (given.$ref?.endsWith("google.protobuf.Timestamp")) return "instant";
  if (given.$ref?.endsWith("google.protobuf.Duration")) return "duration";
  if (name === "maxCostMicroUsd") return "dollars";
  const whole = resolve(given);
  // A 64-bit number may also be written as text.
  if (whole.anyOf?.some(({ type }) => type === "integer")) return "number";
  if (namesOf(whole)) return "names";
  if (whole.type === "string") return "text";
  if (whole.type === "boolean") return "yes-no";
  if (whole.type === "integer" || whole.type === "number") return "number";
  if (whole.type === "array" && whole.items && resolve(whole.items).type === "string") return "texts";
  return whole.type === "object" && whole.properties ? "parts" : "json";
}
