import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { isInvisible, isSpace, quoteKind } from "./characters.ts";
import { isColon, isComma, TextEnds } from "./end-of-text.ts";
import { readText, type TextPlace } from "./read-text.ts";
import { readWord } from "./read-word.ts";
import type { Repair } from "./repairs.ts";

export interface LenientReading {
  /** Undefined when no object begins there. */
  readonly value: JsonObject | undefined;
  /** Behind its last character, or where it turned out to be no object. */
  readonly end: number;
  /** How many characters were looked at, some of them more than once. */
  readonly looks: number;
  /** How often each repair was needed. */
  readonly repairs: ReadonlyMap<Repair, number>;
  /** Names that were found at the top, also of what is no object in the end. */
  readonly names: readonly string[];
  /** Names that stand at the top more than once, with other values. */
  readonly contradicted: ReadonlySet<string>;
  /** The member at the top whose value was cut off. */
  readonly cutName: string | undefined;
}

export interface LenientLimits {
  /** Where the text ends for the reader. */
  readonly end?: number;
  /** Every quote that is not escaped ends its text, as in JSON. */
  readonly trustsQuotes?: boolean;
}

/** Levels of an answer, itself included. */
export const deepest = 100;

/**
 * Reads the JSON object at a position in a text, as language models write them. Valid JSON is read as JSON; every repair is
 * reported. Reads no farther than the object.
 */
export function readLeniently(text: string, start: number, limits: LenientLimits = {}): LenientReading {
  const reader = new Reader(text, start, limits);
  let value: JsonObject | undefined;
  try {
    value = reader.object(1);
  } catch (error) {
    if (error !== unreadable) throw error;
  }
  const { at: end, repairs, names, contradicted, cutName } = reader;
  return { value, end, looks: end - start + reader.looks, repairs, names, contradicted, cutName };
}

const unreadable = new Error("no object begins here");

class Reader {
  readonly #text: string;
  readonly #trustsQuotes: boolean;
  readonly #ends = new TextEnds();
  readonly repairs = new Map<Repair, number>();
  readonly names: string[] = [];
  readonly contradicted = new Set<string>();
  cutName: string | undefined;
  at: number;
  #looks = 0;

  constructor(text: string, start: number, { end, trustsQuotes = false }: LenientLimits) {
    this.#text = end === undefined || end >= text.length ? text : text.slice(0, end);
    this.#trustsQuotes = trustsQuotes;
    this.at = start;
  }

  get looks(): number {
    return this.#looks + this.#ends.looks;
  }

  object(depth: number): JsonObject {
    const isDoubled = this.#isDoubled();
    if (isDoubled) {
      this.#repair("doubled braces");
      this.at++;
    }
    const entries = new Map<string, JsonValue>();
    let hasBareKeys = false;
    this.#list("}", depth, () => {
      hasBareKeys = quoteKind(this.#text[this.at]) === undefined;
      const key = hasBareKeys ? this.#bareKey() : this.#quoted({ isKey: true, isInObject: true, depth });
      this.#skip();
      if (this.#isOver()) return this.#cutOff();
      this.#colon();
      if (this.#isOver()) return this.#cutOff(depth, key);
      if (depth === 1) this.cutName = key;
      const value = this.#value(depth, true, hasBareKeys);
      if (depth === 1 && !this.#isCut()) this.cutName = undefined;
      if (depth === 1) this.names.push(key);
      if (entries.has(key)) this.#duplicate(key, depth, entries.get(key), value);
      entries.set(key, value);
    });
    if (isDoubled && !this.#isCut()) this.#closeDoubled();
    return Object.fromEntries(entries);
  }

  #array(depth: number, closing: string): JsonValue[] {
    const items: JsonValue[] = [];
    this.#list(closing, depth, () => void items.push(this.#value(depth, false, false)));
    return items;
  }

  /** What stands between two brackets, with commas. */
  #list(closing: string, depth: number, readItem: () => void): void {
    if (depth > deepest) throw unreadable;
    this.at++;
    this.#skip();
    let isFirst = true;
    let hasComma = false;
    while (this.#text[this.at] !== closing) {
      if (this.#isOver()) return this.#cutOff();
      if (depth > 1 && (this.#text[this.at] === "}" || this.#text[this.at] === "]"))
        // It closes what is around this list, whose own bracket is missing.
        return this.#repair("missing bracket");
      if (this.#passEllipsis()) {
        hasComma = this.#passComma() || hasComma;
        continue;
      }
      if (!isFirst && !hasComma) {
        if (this.#trustsQuotes) throw unreadable;
        this.#repair("missing comma");
      }
      readItem();
      if (this.#isCut()) return;
      isFirst = false;
      this.#skip();
      hasComma = this.#passComma();
      if (hasComma && this.#text[this.at] === closing) this.#repair("trailing comma");
    }
    this.at++;
  }

  #passComma(): boolean {
    const character = this.#text[this.at];
    if (!isComma(character)) return false;
    if (character === ";") this.#repair("other sign for a comma");
    else if (character !== ",") this.#repair("full-width punctuation");
    this.at++;
    this.#skip();
    return true;
  }

  /** Stands for what the model left out; what it wrote is kept. */
  #passEllipsis(): boolean {
    const length = this.#text.startsWith("...", this.at) ? 3 : this.#text[this.at] === "…" ? 1 : 0;
    if (length === 0) return false;
    this.#repair("ellipsis");
    this.at += length;
    this.#skip();
    return true;
  }

  #bareKey(): string {
    const [key] = this.#match(/[A-Za-z_$][\w$-]*/y) ?? [];
    if (key === undefined) throw unreadable;
    if (quoteKind(this.#text[this.at]) !== undefined) {
      this.#repair("missing quote");
      this.at++;
    } else this.#repair("bare key");
    return key;
  }

  #colon(): void {
    const character = this.#text[this.at];
    if (!isColon(character)) throw unreadable;
    this.at++;
    if (character === "：") this.#repair("full-width punctuation");
    if (character === "=") {
      this.#repair("other sign for a colon");
      if (this.#text[this.at] === ">") this.at++;
    }
    this.#skip();
  }

  #value(depth: number, isInObject: boolean, hasBareKeys: boolean): JsonValue {
    const first = this.#text[this.at] ?? "";
    if (first === "{") return this.object(depth + 1);
    if (first === "[") return this.#array(depth + 1, "]");
    if (quoteKind(first) !== undefined) return this.#quoted({ isKey: false, isInObject, depth, hasBareKeys });
    if (first === "(") {
      this.#repair("literal of another language");
      return this.#array(depth + 1, ")");
    }
    return this.#word(isInObject);
  }

  #word(isInObject: boolean): JsonValue {
    const word = readWord(this.#text, this.at, isInObject);
    if (word === undefined) throw unreadable;
    this.#looks += word.looks;
    this.at = word.end;
    if (word.repair !== undefined) this.#repair(word.repair);
    // What stands at the very end may be the beginning of something longer.
    if (this.#isOver()) this.#cutOff();
    return word.value;
  }

  #quoted(place: TextPlace): string {
    const read = readText(this.#text, this.at, place, { ends: this.#ends, trustsQuotes: this.#trustsQuotes });
    if (read === undefined) throw unreadable;
    this.at = read.end;
    for (const repair of read.repairs) this.#repair(repair);
    if (!read.isComplete) this.#cutOff();
    else if (!place.isKey) return read.text + this.#joined(place);
    return read.text;
  }

  /** Texts that a program would join: `"a" + "b"`. */
  #joined(place: TextPlace): string {
    const next = this.#past(this.at);
    if (this.#text[next] !== "+") return "";
    const quote = this.#past(next + 1);
    if (quoteKind(this.#text[quote]) === undefined) return "";
    this.#repair("joined texts");
    this.at = quote;
    return this.#quoted(place);
  }

  #duplicate(key: string, depth: number, before: JsonValue | undefined, after: JsonValue): void {
    this.#repair("duplicate key");
    if (depth === 1 && before !== after) this.contradicted.add(key);
  }

  /** Models copy the braces of a prompt template, in which they are doubled. */
  #isDoubled(): boolean {
    return this.#text[this.at + 1] === "{";
  }

  /** Otherwise the first brace was prose, and the object begins at the second. */
  #closeDoubled(): void {
    const next = this.#past(this.at);
    if (this.#text[next] !== "}") {
      this.names.length = 0;
      throw unreadable;
    }
    this.at = next + 1;
  }

  /** White space, what cannot be seen, and comments. */
  #skip(): void {
    for (;;) {
      const next = this.#past(this.at);
      if (next > this.at && this.#hasInvisible(next)) this.#repair("invisible character");
      this.at = next;
      const character = this.#text[next];
      if (character !== "/" && character !== "#" && character !== "<") return;
      if (
        !this.#match(/\/\/[^\n]*|#[^\n]*/y) &&
        !this.#passBlock("/*", "*/") &&
        !this.#passBlock("<!--", "-->")
      )
        return;
      this.#repair("comment");
    }
  }

  #hasInvisible(end: number): boolean {
    for (let at = this.at; at < end; at++) if (isInvisible(this.#text.charCodeAt(at))) return true;
    return false;
  }

  #past(from: number): number {
    let at = from;
    for (; at < this.#text.length; at++) {
      const code = this.#text.charCodeAt(at);
      if (!isSpace(code) && !isInvisible(code)) break;
    }
    this.#looks += at - from;
    return at;
  }

  /** An unterminated comment reaches to the end of the text, which counts for the caller's meter. */
  #passBlock(opening: string, closing: string): boolean {
    if (!this.#text.startsWith(opening, this.at)) return false;
    const end = this.#text.indexOf(closing, this.at + opening.length);
    this.at = end === -1 ? this.#text.length : end + closing.length;
    return true;
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.#text) ?? undefined;
    this.at += found?.[0].length ?? 0;
    return found;
  }

  #isOver(): boolean {
    return this.at >= this.#text.length;
  }

  #isCut(): boolean {
    return this.repairs.has("truncated");
  }

  #cutOff(depth = 0, name?: string): void {
    if (depth === 1) this.cutName = name;
    this.repairs.set("truncated", 1);
  }

  #repair(repair: Repair): void {
    this.repairs.set(repair, (this.repairs.get(repair) ?? 0) + 1);
  }
}
