import type { Limits } from "../limits.ts";

/** Faults of a JSON text that a parser does not report. */
export type JsonTextFault =
  | { readonly kind: "depth" }
  | { readonly kind: "elements" }
  | { readonly kind: "duplicate"; readonly key: string; readonly line: number; readonly column: number };

/**
 * Reads a text once before it is parsed: counts its brackets and commas outside of strings, before anything is allocated
 * for them, and looks for keys that come twice, of which a parser silently keeps the last. Text that is not JSON is left
 * to the parser to refuse.
 */
export function scanJson(text: string, limits: Limits): JsonTextFault | undefined {
  /** The keys of each open object; undefined for an open list. */
  const open: (Set<string> | undefined)[] = [];
  let elements = 0;
  let strings = 0;
  // Each element has a key and a value at the most: a text with more strings has too many elements, or is no JSON.
  const mostStrings = 2 * limits.maxElements + 2;
  let keyMayCome = false;
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === quote) {
      if (++strings > mostStrings) return { kind: "elements" };
      const end = endOfString(text, at);
      const keys = open.at(-1);
      if (keyMayCome && keys) {
        const key = unquote(text.slice(at, end + 1));
        if (keys.has(key)) return { kind: "duplicate", key, ...positionOf(text, at) };
        keys.add(key);
        keyMayCome = false;
      }
      at = end;
    } else if (char === openBrace || char === openBracket) {
      elements++;
      keyMayCome = char === openBrace;
      open.push(keyMayCome ? new Set() : undefined);
      if (open.length > limits.maxDepth) return { kind: "depth" };
    } else if (char === closeBrace || char === closeBracket) {
      open.pop();
      keyMayCome = false;
    } else if (char === comma) {
      elements++;
      keyMayCome = open.at(-1) !== undefined;
    }
    if (elements > limits.maxElements) return { kind: "elements" };
  }
  return undefined;
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === backslash) at++;
    else if (char === quote) return at;
  }
  return text.length;
}

/** Two spellings of one key are one key. */
function unquote(quoted: string): string {
  if (!quoted.includes("\\")) return quoted;
  try {
    return JSON.stringify(JSON.parse(quoted));
  } catch {
    return quoted; // The parser reports the fault.
  }
}

function positionOf(text: string, at: number): { line: number; column: number } {
  const before = text.slice(0, at);
  return { line: before.split("\n").length, column: at - before.lastIndexOf("\n") };
}
