import type { CelType } from "@bufbuild/cel";

/**
 * The static type of an expression. `dyn` is unknown, as all of `response.data` is. `status` is a string with a closed
 * set of values; `response`, `node` and `nodes` have fields and are not values themselves.
 */
export type Kind =
  | "bool"
  | "int"
  | "uint"
  | "double"
  | "string"
  | "bytes"
  | "null"
  | "list"
  | "map"
  | "type"
  | "timestamp"
  | "duration"
  | "dyn"
  | "status"
  | "response"
  | "node"
  | "nodes";

const numbers: readonly Kind[] = ["int", "uint", "double"];
const holders: readonly Kind[] = ["response", "node", "nodes"];

export function kindOfType(type: CelType): Kind {
  if (type.kind !== "object") return type.name === "null_type" ? "null" : type.name;
  return type.name === "google.protobuf.Duration" ? "duration" : "timestamp";
}

export function isHolder(kind: Kind): boolean {
  return holders.includes(kind);
}

/** Whether a value of this kind may have the wanted kind. */
export function mayBe(kind: Kind, wanted: Kind): boolean {
  if (isHolder(kind)) return false;
  return kind === wanted || kind === "dyn" || wanted === "dyn" || (kind === "status" && wanted === "string");
}

/** Whether two values can be equal: numbers of all kinds can, other kinds only among themselves. */
export function mayEqual(a: Kind, b: Kind): boolean {
  return mayBe(a, b) || mayBe(b, a) || (numbers.includes(a) && numbers.includes(b));
}

/** The common kind of two alternatives. */
export function either(a: Kind, b: Kind): Kind {
  if (a === b) return a;
  if (isHolder(a) && isHolder(b)) return "response";
  return mayBe(a, "string") && mayBe(b, "string") && a !== "dyn" && b !== "dyn" ? "string" : "dyn";
}

const words: Partial<Record<Kind, string>> = {
  bool: "a boolean",
  dyn: "a value",
  null: "null",
  int: "an int",
};

export function inWords(kind: Kind): string {
  return words[kind] ?? `a ${kind}`;
}
