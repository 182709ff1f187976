import type { JsonObject } from "@bufbuild/protobuf";
import { findJsonFault } from "../../../design/json-fault.ts";

export type Inputs =
  | { readonly ok: true; readonly value: JsonObject | undefined }
  | { readonly ok: false; readonly problem: string };

/** Parses typed inputs: a JSON object, or nothing. */
export function readInputs(text: string): Inputs {
  if (text.trim() === "") return { ok: true, value: undefined };
  const fault = findJsonFault(text);
  if (fault) return { ok: false, problem: notJson(fault.line, fault.column) };
  const value: unknown = JSON.parse(text);
  if (typeof value === "object" && value !== null && !Array.isArray(value))
    return { ok: true, value: value as JsonObject };
  return { ok: false, problem: 'Enter an object, such as { "size": "large" }.' };
}

/** The usual mistake is missing quotes. */
export function notJson(line: number, column: number): string {
  return `Invalid JSON at line ${line}, column ${column}. Put names and texts in double quotes, as in { "name": "Bob" }.`;
}
