import { charClass, identifier } from "../../scan/char-class.ts";
import { skip, skipLetters } from "../../scan/read-line.ts";
import type { Window } from "../../scan/window.ts";

interface Separator {
  /** Start of the value. */
  readonly end: number;
  /** Whether the value follows an equals sign at once. */
  readonly isTight: boolean;
}

const dash = 0x2d;
const maxBlanks = 16;
const tightSymbols = ["=", "%3D", "%3d"];
const symbols = ["=>", ":=", "?=", "==", ":", "%3A", "%3a", ...tightSymbols];

/** The separator between a name and its value, if a value is assigned. */
export function readSeparator(window: Window, nameStart: number, nameEnd: number): Separator | undefined {
  if (window.code(nameEnd) === 0x3e && opensElement(window, nameStart)) {
    return { end: nameEnd + 1, isTight: true };
  }
  const closed = endOfClosings(window, nameEnd);
  const spaced = endOfBlank(window, closed);
  const symbol = symbols.find((candidate) => startsWith(window, candidate, spaced));
  if (symbol) {
    const end = endOfBlank(window, spaced + symbol.length);
    const isTight = end === closed + symbol.length && tightSymbols.includes(symbol);
    return { end: endOfType(window, symbol, end) ?? end, isTight };
  }
  const value = endOfValueName(window, nameStart, closed);
  if (value !== undefined) return { end: value, isTight: false };
  const isOption = spaced > nameEnd && window.code(spaced) !== dash && beginsOption(window, nameStart);
  if (isOption) return { end: spaced, isTight: true };
  return spaced > nameEnd && isSetting(window, nameStart) ? { end: spaced, isTight: true } : undefined;
}

/** `"name": "API_TOKEN", "value": "…"`, `name: X` with `value: …` on the next line, `key="x" value="…"`. */
function endOfValueName(window: Window, nameStart: number, from: number): number | undefined {
  if (!window.isOneOf(from, ",; \r\n")) return undefined;
  const before = window.slice(nameStart - 40, nameStart);
  if (!/(?:name|key)["']?\s?[:=]\s?["']?[\w.-]*$/i.test(before)) return undefined;
  const start = skip(window, skip(window, skip(window, from, ",; ", 3), "\r\n", 2), " \t-", maxBlanks);
  const word = skipLetters(window, skip(window, start, "\"'", 1), "value");
  if (word === undefined) return undefined;
  const separator = skip(window, skip(window, word, "\"'", 1), " ", 2);
  return window.isOneOf(separator, ":=") ? endOfBlank(window, separator + 1) : undefined;
}

/** `ENV API_KEY …` of a Dockerfile, `setx API_KEY …`. */
function isSetting(window: Window, nameStart: number): boolean {
  const start = window.startOfRun(nameCharacters, nameStart, 48);
  return /(?:^|[\n\r;&])\s*(?:ENV|ARG|setx|SET)\s+$/.test(window.slice(start - 24, start));
}

/** `["password"]`, `\"password\"`: the quotes around the name. */
function endOfClosings(window: Window, from: number): number {
  let at = from;
  while (at < from + 4 && window.isOneOf(at, "\"'`\\]")) at++;
  return at;
}

function endOfBlank(window: Window, from: number): number {
  let at = from;
  while (at < from + maxBlanks && window.isOneOf(at, " \t")) at++;
  return at;
}

/** `password: string = "…"`: after a type, the value follows the equals sign. */
function endOfType(window: Window, symbol: string, from: number): number | undefined {
  if (symbol !== ":") return undefined;
  const type = window.endOfRun(letters, from, from + 32);
  const equals = endOfBlank(window, type);
  const isTyped =
    type > from && equals > type && window.code(equals) === 0x3d && window.code(equals + 1) === 0x20;
  return isTyped ? endOfBlank(window, equals + 1) : undefined;
}

const letters = charClass.upper | charClass.lower;

/** `<db:password>`. */
function opensElement(window: Window, nameStart: number): boolean {
  const start = window.startOfRun(nameCharacters, nameStart, 48);
  return window.code(start - 1) === 0x3c;
}

/** `--db-password`. */
function beginsOption(window: Window, nameStart: number): boolean {
  const start = window.startOfRun(nameCharacters, nameStart, 48);
  return window.code(start) === dash && window.code(start + 1) === dash;
}

const nameCharacters = identifier | charClass.dash | charClass.dot | charClass.colon;

function startsWith(window: Window, text: string, at: number): boolean {
  for (let index = 0; index < text.length; index++) {
    if (window.code(at + index) !== text.charCodeAt(index)) return false;
  }
  return true;
}
