import type { JsonObject } from "@bufbuild/protobuf";
import { findJsonFault } from "../../../design/json-fault.ts";

export type Inputs =
  | { readonly ok: true; readonly value: JsonObject | undefined }
  | { readonly ok: false; readonly problem: string };

/** What somebody typed as inputs: an object of any fields, or nothing. */
export function readInputs(text: string): Inputs {
  if (text.trim() === "") return { ok: true, value: undefined };
  const fault = findJsonFault(text);
  if (fault) return { ok: false, problem: notJson(fault.line, fault.column) };
  const value: unknown = JSON.parse(text);
  if (typeof value === "object" && value !== null && !Array.isArray(value))
    return { ok: true, value: value as JsonObject };
  return { ok: false, problem: 'Write an object, such as { "size": "large" }.' };
}

/** Most who are told so have left out the quotes. */
export function notJson(line: number, column: number): string {
  return `This is no JSON from line ${line}, column ${column} on. Names and texts stand in double quotes, as in { "name": "Bob" }.`;
}
