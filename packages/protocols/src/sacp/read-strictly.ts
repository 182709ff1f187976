import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { deepest } from "./lenient/read-leniently.ts";

export interface StrictReading {
  /** Undefined when the text is no JSON object there, or one that takes more care to read. */
  readonly value: JsonObject | undefined;
  /** Behind the bracket that closes the first one, or -1. */
  readonly end: number;
  readonly looks: number;
  readonly isJson: boolean;
}

/** Reads the JSON object at a position as JSON. */
export function readStrictly(text: string, start: number): StrictReading {
  const end = endOfObject(text, start);
  if (end < 0) return { value: undefined, end: -1, looks: -end - start, isJson: false };
  const looks = 2 * (end - start);
  const written = text.slice(start, end);
  const value = parse(written);
  if (value === undefined) return { value, end, looks, isJson: false };
  return { value: isTrusted(value, written) ? value : undefined, end, looks, isJson: true };
}

/** The object that a whole text is. Undefined also when it takes more care. */
export function readWhole(text: string): JsonObject | undefined {
  const value = parse(text);
  return value !== undefined && isTrusted(value, text) ? value : undefined;
}

function parse(text: string): JsonObject | undefined {
  try {
    const value = JSON.parse(text) as JsonValue;
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Whether JSON.parse lost nothing: no name is there twice, no number lost digits, and nothing is too deep. May say no of
 * what is fine, for the careful reader to decide.
 */
function isTrusted(value: JsonObject, text: string): boolean {
  const names = countNames(value, 1);
  return names >= 0 && !hasMoreNames(text, names);
}

/** Names of all objects in a value; less than zero for what takes more care. */
function countNames(value: JsonObject | JsonValue[], depth: number): number {
  if (depth > deepest) return tooMuch;
  let names = 0;
  if (Array.isArray(value)) {
    for (const item of value) names += namesIn(item, depth);
    return names;
  }
  for (const name in value) names += 1 + namesIn(value[name] as JsonValue, depth);
  return names;
}

function namesIn(value: JsonValue, depth: number): number {
  if (typeof value === "string") return 0;
  if (typeof value === "number") return value > maxExact || value < -maxExact ? tooMuch : 0;
  return typeof value === "object" && value !== null ? countNames(value, depth + 1) : 0;
}

/** No text has as many names. */
const tooMuch = -(2 ** 40);

const maxExact = Number.MAX_SAFE_INTEGER;

/**
 * Counts colons behind quotes. Those at the beginning of a text are counted too, and white space before a colon counts as
 * more, which only costs a second reading.
 */
function hasMoreNames(text: string, names: number): boolean {
  let found = 0;
  for (let at = text.indexOf(":"); at !== -1; at = text.indexOf(":", at + 1)) {
    const before = text.charCodeAt(at - 1);
    if (before === 34 ? ++found > names : before <= 32 && isSpaced(text, at - 1)) return true;
  }
  return false;
}

function isSpaced(text: string, from: number): boolean {
  let at = from;
  while (at > 0 && text.charCodeAt(at) <= 32) at--;
  return text.charCodeAt(at) === 34;
}

/** Behind the object at a position, or less than zero: the place up to which there is no end, negated. */
function endOfObject(text: string, start: number): number {
  let open = 0;
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 34) {
      at = endOfString(text, at + 1);
    } else if (code === 123 || code === 91) open++;
    else if ((code === 125 || code === 93) && --open === 0) return at + 1;
  }
  return -text.length;
}

/** The quote that closes the string that begins at a position, or the end of the text. */
function endOfString(text: string, start: number): number {
  for (let at = start; ; at++) {
    at = text.indexOf('"', at);
    if (at === -1) return text.length;
    let slashes = 0;
    for (let before = at - 1; before >= start && text.charCodeAt(before) === 92; before--) slashes++;
    if (slashes % 2 === 0) return at;
  }
}
