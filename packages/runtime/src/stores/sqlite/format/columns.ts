/** Reads columns. Tables are STRICT: another type than the declared one means damage. */
import type { SQLOutputValue } from "node:sqlite";
import { damage } from "../errors.ts";

type Value = SQLOutputValue | undefined;

export function text(value: Value): string {
  return typeof value === "string" ? value : wrong("a text", value);
}

export function integer(value: Value): number {
  return typeof value === "number" ? value : wrong("an integer", value);
}

export function bytes(value: Value): Uint8Array {
  return value instanceof Uint8Array ? value : wrong("bytes", value);
}

function wrong(expected: string, value: Value): never {
  throw damage("a row", `${expected} was expected where it has ${value === null ? "nothing" : typeof value}`);
}
