import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { cutAtWord } from "../../brief.ts";
import type { NodeOutput, Scope } from "../scope.ts";
import type { Read } from "./reads.ts";

/** Characters of JSON of one value, and of all values of a decision. */
const limits = { value: 200, all: 1_000 } as const;

/**
 * The values that a condition reads, for people: `{ response: { data: { score: 0.9 } } }`. They are nested as in the answer,
 * so that redaction finds the names of fields. A missing value is left out, and a large one summarized.
 */
export function readValues(reads: readonly Read[], { response, nodes }: Scope): JsonObject {
  const values: JsonObject = {};
  let left: number = limits.all;
  for (const { text, node, path } of reads) {
    const value = valueAt(node === undefined ? response : nodes.get(node), path);
    if (value === undefined) continue;
    const summary = summarize(value);
    left -= text.length + JSON.stringify(summary).length;
    if (left < 0) break;
    place(values, [node ?? "response", ...path.map(String)], summary);
  }
  return values;
}

/** A value below one that is summarized is left out. */
function place(into: JsonObject, [name = "", ...rest]: readonly string[], value: JsonValue): void {
  const there = Object.hasOwn(into, name) ? into[name] : undefined;
  const isEnd = rest.length === 0;
  if (there !== undefined && (isEnd || typeof there !== "object" || there === null || Array.isArray(there)))
    return;
  const below = isEnd ? value : ((there ?? {}) as JsonObject);
  // A plain assignment to __proto__ would set the prototype.
  Object.defineProperty(into, name, { value: below, enumerable: true, configurable: true, writable: true });
  if (!isEnd) place(below as JsonObject, rest, value);
}

function valueAt(output: NodeOutput | undefined, [field, ...path]: Read["path"]): JsonValue | undefined {
  if (field === "ran") return output !== undefined;
  if (!output) return undefined;
  const { status, data, message, nextStepHint } = output;
  const answer: JsonObject = { status, data, message, next_step_hint: nextStepHint };
  return [field, ...path].reduce<JsonValue | undefined>(memberOf, answer);
}

/** Only own members: names of the prototype are ordinary data. */
function memberOf(value: JsonValue | undefined, step: string | number | undefined): JsonValue | undefined {
  if (typeof value !== "object" || value === null || step === undefined) return undefined;
  if (Array.isArray(value)) return typeof step === "number" ? value[step] : undefined;
  return Object.hasOwn(value, step) ? value[step] : undefined;
}

function summarize(value: JsonValue): JsonValue {
  if (typeof value === "string") {
    if (value.length <= limits.value) return value;
    const kept = cutAtWord(value, limits.value);
    return `${kept}… (${value.length - kept.length} more characters)`;
  }
  if (typeof value !== "object" || value === null || JSON.stringify(value).length <= limits.value)
    return value;
  return Array.isArray(value)
    ? `a list of ${value.length}`
    : `an object with ${Object.keys(value).length} fields`;
}
