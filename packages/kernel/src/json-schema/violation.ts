import { isMap } from "./json.ts";

/** A rule that a value breaks. */
export interface SchemaViolation {
  /** Such as `.items[3].name`; empty for the whole value. */
  readonly path: string;
  /** The keyword of JSON Schema. */
  readonly rule: string;
  readonly message: string;
  /** What was found there: a short value as JSON, else its kind and size. Never a part of a text, which could be half a secret. */
  readonly value: string;
}

/** Characters of a name or a text that is quoted. */
const maxQuote = 100;

/** Texts that are quoted whole. */
const maxWhole = 64;

/** A part of the schema, or a name of the value. */
export function quote(value: unknown, isText = false): string {
  if (typeof value === "object" && value !== null && Object.keys(value).length > maxQuote)
    return describeValue(value);
  const text = isText ? String(value) : (JSON.stringify(value) ?? "");
  return text.length <= maxQuote ? text : `${text.slice(0, maxQuote).toWellFormed()}…`;
}

export function describeValue(value: unknown): string {
  if (typeof value === "string")
    return value.length <= maxWhole ? JSON.stringify(value) : `a text of ${value.length} characters`;
  if (Array.isArray(value))
    return value.length === 1 ? "a list of 1 item" : `a list of ${value.length} items`;
  if (!isMap(value)) return value === undefined ? "nothing" : String(value);
  const count = Object.keys(value).length;
  return count === 1 ? "an object with 1 field" : `an object with ${count} fields`;
}
