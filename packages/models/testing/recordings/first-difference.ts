import type { JsonValue } from "@bufbuild/protobuf";

export interface Difference {
  /** Such as `messages[1].content[0].text`. */
  readonly path: string;
  /** Excerpts around the difference; "nothing" where a side has no value. */
  readonly recorded: string;
  readonly requested: string;
}

/** The first difference of two values, in the order of the requested one; undefined when they are equal. */
export function firstDifference(
  recorded: JsonValue | undefined,
  requested: JsonValue | undefined,
  path = "",
): Difference | undefined {
  if (recorded === requested) return undefined;
  if (Array.isArray(recorded) && Array.isArray(requested)) {
    const most = Math.max(recorded.length, requested.length);
    for (let index = 0; index < most; index++) {
      const found = firstDifference(recorded[index], requested[index], `${path}[${index}]`);
      if (found) return found;
    }
    return undefined;
  }
  if (isObject(recorded) && isObject(requested)) {
    for (const name of new Set([...Object.keys(requested), ...Object.keys(recorded)])) {
      const found = firstDifference(recorded[name], requested[name], path === "" ? name : `${path}.${name}`);
      if (found) return found;
    }
    return undefined;
  }
  const [a, b] = excerpts(textOf(recorded), textOf(requested));
  return { path, recorded: a, requested: b };
}

/** How many leaves are equal, without those below the first difference of a list. */
export function likeness(recorded: JsonValue | undefined, requested: JsonValue | undefined): number {
  if (Array.isArray(recorded) && Array.isArray(requested))
    return requested.reduce<number>((sum, one, index) => sum + likeness(recorded[index], one), 0);
  if (isObject(recorded) && isObject(requested))
    return Object.entries(requested).reduce((sum, [name, one]) => sum + likeness(recorded[name], one), 0);
  return recorded === requested ? 1 : 0;
}

const before = 20;
const after = 60;

/** The same part of both texts, from shortly before they differ. */
function excerpts(recorded: string, requested: string): readonly [string, string] {
  let start = 0;
  while (start < recorded.length && recorded[start] === requested[start]) start++;
  const from = start > before ? start - before : 0;
  const cut = (text: string) => {
    const part = text.slice(from, start + after).toWellFormed();
    return `${from > 0 ? "…" : ""}${part}${start + after < text.length ? "…" : ""}`;
  };
  return [cut(recorded), cut(requested)];
}

function textOf(value: JsonValue | undefined): string {
  return value === undefined ? "nothing" : JSON.stringify(value);
}

function isObject(value: JsonValue | undefined): value is { readonly [name: string]: JsonValue } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
