import type { Limits } from "./limits.ts";

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/**
 * Which limit a text passes, found by counting brackets and commas outside of strings before anything is allocated
 * for it. Text that is not JSON is left to the parser to refuse.
 */
export function scanJson(text: string, limits: Limits): "depth" | "elements" | undefined {
  let depth = 0;
  let elements = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case quote:
        at = endOfString(text, at);
        break;
      case openBracket:
      case openBrace:
        depth++;
        elements++;
        break;
      case closeBracket:
      case closeBrace:
        depth--;
        break;
      case comma:
        elements++;
        break;
    }
    if (depth > limits.maxDepth) return "depth";
    if (elements > limits.maxElements) return "elements";
  }
  return undefined;
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === backslash) at++;
    else if (char === quote) return at;
  }
  return text.length;
}
