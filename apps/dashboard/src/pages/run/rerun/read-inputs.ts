import type { JsonObject } from "@bufbuild/protobuf";

export type Inputs =
  | { readonly ok: true; readonly value: JsonObject | undefined }
  | { readonly ok: false; readonly problem: string };

/** What somebody typed as inputs: an object of any fields, or nothing. */
export function readInputs(text: string): Inputs {
  if (text.trim() === "") return { ok: true, value: undefined };
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value))
      return { ok: true, value: value as JsonObject };
    return { ok: false, problem: 'Write an object, such as { "size": "large" }.' };
  } catch (error) {
    return { ok: false, problem: `This is no JSON: ${error instanceof Error ? error.message : error}` };
  }
}
