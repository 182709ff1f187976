import type { JsonValue } from "@bufbuild/protobuf";
import type { Repair } from "./repairs.ts";

interface ReadWord {
  readonly value: JsonValue;
  readonly end: number;
  readonly looks: number;
  readonly repair?: Repair;
}

const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
/** Of JavaScript and Python: a plus, a bare point, digits in groups, hexadecimal. */
const foreignNumber = /[+-]?(?:0[xX][\da-fA-F]+|\d[\d_]*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y;
/** As people write it. Only in an object, where a comma is followed by a name. */
const groupedNumber = /-?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?(?!\d|,\d)/y;
/** One word, as a text without its quotes: no white space, quotes, brackets or commas. */
const bareText = /(?:[^\s\u200b-\u200f\u2060"'“”‘’`,，:：;；{}[\]()<>|]|:(?=[\w/.-])){1,256}/y;
/** A word ends where a value may end. */
const behindWord = /[\s\u200b-\u200f\u2060]*(?:[,，;；}\])]|\/[/*]|#|$)|[ \t\r]*\n/y;
/** A number or literal also where the comma behind it is missing. */
const behindLiteral = /\s+["'“‘{[\d-]/y;

const foreignNumbers = ["nan", "infinity", "-infinity", "+infinity", "inf", "-inf"];

/** Reads a number, a literal or a bare text. Undefined when none ends where a value may end. */
export function readWord(text: string, at: number, isInObject: boolean): ReadWord | undefined {
  const plain = take(number, text, at);
  const grouped = isInObject ? take(groupedNumber, text, at) : undefined;
  if (grouped !== undefined && isEnd(text, at + grouped.length)) {
    const value = Number(grouped.replaceAll(",", ""));
    return { ...ofEnd(grouped, at), value, repair: "number of another notation" };
  }
  if (plain !== undefined && isEndOfLiteral(text, at + plain.length)) return ofNumber(plain, at);
  const foreign = take(foreignNumber, text, at);
  if (foreign !== undefined && isEnd(text, at + foreign.length) && !/^[+-]?0[\d_]/.test(foreign)) {
    const value = Number(foreign.replaceAll("_", "").replace(/^\+/, ""));
    if (Number.isFinite(value)) return { ...ofEnd(foreign, at), value, repair: "number of another notation" };
  }
  const word = take(bareText, text, at);
  if (word === undefined || word.startsWith("...")) return undefined;
  // A word that was cut off may be any.
  if (at + word.length >= text.length) return { ...ofEnd(word, at), value: null };
  const read = ofWord(word);
  const ends = read.repair === "bare text" ? isEnd : isEndOfLiteral;
  return ends(text, at + word.length) ? { ...ofEnd(word, at), ...read } : undefined;
}

function ofNumber(digits: string, at: number): ReadWord {
  const value = Number(digits);
  if (!Number.isFinite(value)) return { ...ofEnd(digits, at), value: null, repair: "number that JSON lacks" };
  const isExact = Number.isSafeInteger(value) || /[.eE]/.test(digits) || BigInt(digits) === BigInt(value);
  return { ...ofEnd(digits, at), value, ...(!isExact && { repair: "number with too many digits" as const }) };
}

function ofWord(word: string): { readonly value: JsonValue; readonly repair?: Repair } {
  if (word === "true" || word === "false") return { value: word === "true" };
  if (word === "null") return { value: null };
  const lower = word.toLowerCase();
  if (lower === "true" || lower === "false")
    return { value: lower === "true", repair: "literal of another language" };
  if (["none", "null", "nil", "undefined"].includes(lower))
    return { value: null, repair: "literal of another language" };
  if (foreignNumbers.includes(lower)) return { value: null, repair: "number that JSON lacks" };
  return { value: word, repair: "bare text" };
}

function ofEnd(word: string, at: number): { readonly end: number; readonly looks: number } {
  return { end: at + word.length, looks: 4 * word.length };
}

function take(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

function isEnd(text: string, at: number): boolean {
  behindWord.lastIndex = at;
  return behindWord.test(text);
}

function isEndOfLiteral(text: string, at: number): boolean {
  if (isEnd(text, at)) return true;
  behindLiteral.lastIndex = at;
  return behindLiteral.test(text);
}
