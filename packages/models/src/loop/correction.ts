import { quoteData } from "@baton/protocols/answer";
import type { ResponseProblem } from "@baton/protocols/sacp";
import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { limits } from "../limits.ts";

/** What goes back to a model whose data breaks its schema: all violations, each with path, rule and value. */
export function describeViolations(problems: readonly ResponseProblem[], data: JsonObject): string {
  const lines = problems.slice(0, limits.violations).map(({ path, rule, message }) => {
    const value = valueAt({ data }, path);
    const found = value === undefined ? "" : ` (found: ${shorten(JSON.stringify(value))})`;
    return `- ${path.slice(1)}: ${rule}: ${message}${found}`;
  });
  const more = problems.length - lines.length;
  return [...lines, ...(more > 0 ? [`- and ${more} more`] : [])].join("\n");
}

export function correctionPrompt(problems: readonly ResponseProblem[], data: JsonObject): string {
  return [
    "Your response was read, but its `data` does not satisfy the JSON Schema of the protocol. These are the violations:",
    quoteData(describeViolations(problems, data)),
    "Answer again with the whole JSON object, with `data` corrected. Change nothing that is right, and invent no values.",
  ].join("\n\n");
}

export function answerPrompt(answer: string): string {
  return `The answer to your question:\n\n${answer}`;
}

export const synthesisPrompt =
  "You have finished calling tools. Now give your final response, as one JSON object in the format of the SYSTEM PROTOCOL, and nothing else.";

/** By a path such as `.items[3].name`, or `["a b"]` where a name needs it. */
function valueAt(data: JsonObject, path: string): JsonValue | undefined {
  let value: JsonValue | undefined = data;
  for (const [, name, index, quoted] of path.matchAll(/\.([^.[\]]+)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/g)) {
    if (typeof value !== "object" || value === null) return undefined;
    if (index !== undefined) value = Array.isArray(value) ? value[Number(index)] : undefined;
    else if (Array.isArray(value)) return undefined;
    else {
      const key: string = name ?? (JSON.parse(quoted ?? '""') as string);
      value = Object.hasOwn(value, key) ? value[key] : undefined;
    }
  }
  return value;
}

function shorten(text: string): string {
  return text.length <= limits.valueLength ? text : `${text.slice(0, limits.valueLength).toWellFormed()}…`;
}
