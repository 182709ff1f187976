import type { JsonObject, JsonValue } from "@bufbuild/protobuf";

/** An object on a line of its own; undefined when the line is something else. */
export function readJsonLine(line: string): JsonObject | undefined {
  if (!line.startsWith("{")) return undefined;
  try {
    return objectOf(JSON.parse(line) as JsonValue);
  } catch {
    return undefined;
  }
}

export function objectOf(value: JsonValue | undefined): JsonObject | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
}

export function objectsOf(value: JsonValue | undefined): readonly JsonObject[] {
  if (!Array.isArray(value)) return [];
  return value.map((item) => objectOf(item)).filter((item) => item !== undefined);
}

export function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}

/** A number of tokens, turns or millionths; nonsense counts as none. */
export function countOf(value: JsonValue | undefined): number {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? Math.round(value) : 0;
}
