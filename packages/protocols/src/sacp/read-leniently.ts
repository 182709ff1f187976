import type { JsonObject, JsonValue } from "@bufbuild/protobuf";

/** A repair that was needed to read a text. */
export type Repair =
  | "comment"
  | "trailing comma"
  | "missing comma"
  | "single quotes"
  | "bare key"
  | "literal of another language"
  | "quote inside of a text"
  | "line break inside of a text"
  | "unknown escape"
  /** It ended before it was complete: whatever came after is not known. */
  | "truncated";

export interface LenientReading {
  /** Undefined when no object begins there. */
  readonly value: JsonObject | undefined;
  /** Behind its last character. */
  readonly end: number;
  /** How many characters were looked at, some of them more than once. */
  readonly looks: number;
  readonly repairs: ReadonlySet<Repair>;
}

/** Deeper than any answer that means something. */
const deepest = 100;

/** How far behind a quote inside of a text its real end is looked for. */
const inSightOfQuote = 1_024;

/**
 * Reads the JSON object at a position in a text, as language models write them. Valid JSON is read as JSON; every repair is
 * reported. Reads no farther than the object.
 */
export function readLeniently(text: string, start: number): LenientReading {
  const reader = new Reader(text, start);
  try {
    const value = reader.object(1);
    return { value, end: reader.at, looks: reader.at - start + reader.extraLooks, repairs: reader.repairs };
  } catch (error) {
    if (error !== unreadable) throw error;
    return {
      value: undefined,
      end: reader.at,
      looks: reader.at - start + reader.extraLooks,
      repairs: reader.repairs,
    };
  }
}

const unreadable = new Error("no object begins here");

class Reader {
  readonly #text: string;
  readonly repairs = new Set<Repair>();
  at: number;
  extraLooks = 0;

  constructor(text: string, start: number) {
    this.#text = text;
    this.at = start;
  }

  object(depth: number): JsonObject {
    const entries: [string, JsonValue][] = [];
    this.#list("}", depth, () => {
      const key = this.#key();
      this.#skip();
      if (this.#isOver()) return this.#cutOff();
      if (this.#text[this.at] !== ":") throw unreadable;
      this.at++;
      this.#skip();
      if (this.#isOver()) return this.#cutOff();
      entries.push([key, this.#value(depth)]);
    });
    return Object.fromEntries(entries);
  }

  #array(depth: number): JsonValue[] {
    const items: JsonValue[] = [];
    this.#list("]", depth, () => void items.push(this.#value(depth)));
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
      if (!isFirst && !hasComma) this.repairs.add("missing comma");
      readItem();
      isFirst = false;
      this.#skip();
      hasComma = this.#text[this.at] === ",";
      if (!hasComma) continue;
      this.at++;
      this.#skip();
      if (this.#text[this.at] === closing) this.repairs.add("trailing comma");
    }
    this.at++;
  }

  #key(): string {
    const quote = this.#text[this.at];
    if (quote === '"' || quote === "'") return this.#quoted(quote, true);
    const key = this.#take(/[A-Za-z_$][\w$-]*/y);
    this.repairs.add("bare key");
    return key;
  }

  #value(depth: number): JsonValue {
    const first = this.#text[this.at] ?? "";
    if (first === "{") return this.object(depth + 1);
    if (first === "[") return this.#array(depth + 1);
    if (first === '"' || first === "'") return this.#quoted(first, false);
    if (first === "-" || (first >= "0" && first <= "9")) {
      return Number(this.#take(/-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])/y));
    }
    return this.#literal();
  }

  #literal(): JsonValue {
    const word = this.#take(/[A-Za-z]+/y);
    if (word === "true" || word === "false") return word === "true";
    if (word === "null") return null;
    if (!["True", "False", "None", "undefined"].includes(word)) {
      // A word that was cut off is one of these too.
      if (this.#isOver()) this.repairs.add("truncated");
      else throw unreadable;
      return null;
    }
    this.repairs.add("literal of another language");
    return word === "True" || (word === "False" ? false : null);
  }

  #quoted(quote: string, isKey: boolean): string {
    if (quote === "'") this.repairs.add("single quotes");
    const stop = quote === '"' ? /["\\\n\r]/g : /['\\\n\r]/g;
    let read = "";
    let from = ++this.at;
    for (;;) {
      stop.lastIndex = this.at;
      const found = stop.exec(this.#text);
      this.at = found?.index ?? this.#text.length;
      read += this.#text.slice(from, this.at);
      if (!found) {
        this.#cutOff();
        return read;
      }
      const [mark] = found;
      if (mark === "\\") read += this.#escape();
      else if (mark === quote) {
        this.at++;
        if (isKey || this.#isEndOfText(quote)) return read;
        this.repairs.add("quote inside of a text");
        read += quote;
      } else {
        this.at++;
        this.repairs.add("line break inside of a text");
        read += mark;
      }
      from = this.at;
    }
  }

  /**
   * Whether the quote before this place ends its text. It does when something follows that may follow a value; else only
   * when the line holds no other quote of which that is true.
   */
  #isEndOfText(quote: string): boolean {
    afterValue.lastIndex = this.at;
    if (afterValue.test(this.#text)) return true;
    const sight = this.#text.slice(this.at, this.at + inSightOfQuote);
    this.extraLooks += sight.length;
    const breakAt = sight.indexOf("\n");
    return !otherEnds[quote]?.test(breakAt === -1 ? sight : sight.slice(0, breakAt));
  }

  #escape(): string {
    const next = this.#text[this.at + 1] ?? "";
    if (next === "u") {
      const code = /[0-9a-fA-F]{4}/y;
      code.lastIndex = this.at + 2;
      const [digits] = code.exec(this.#text) ?? [];
      if (digits !== undefined) {
        this.at += 6;
        return String.fromCharCode(Number.parseInt(digits, 16));
      }
    }
    this.at += 1 + next.length;
    const plain = escapes[next];
    if (plain === undefined && next !== "") this.repairs.add("unknown escape");
    return plain ?? next;
  }

  /** White space and comments. */
  #skip(): void {
    for (;;) {
      this.#pass(/\s*/y);
      if (!this.#pass(/\/\/[^\n]*|#[^\n]*/y) && !this.#passBlock()) return;
      this.repairs.add("comment");
    }
  }

  /** An unterminated comment reaches to the end of the text, which counts for the caller's meter. */
  #passBlock(): boolean {
    if (!this.#text.startsWith("/*", this.at)) return false;
    const end = this.#text.indexOf("*/", this.at + 2);
    this.at = end === -1 ? this.#text.length : end + 2;
    return true;
  }

  #pass(pattern: RegExp): boolean {
    pattern.lastIndex = this.at;
    const length = pattern.exec(this.#text)?.[0].length ?? 0;
    this.at += length;
    return length > 0;
  }

  #take(pattern: RegExp): string {
    const from = this.at;
    if (!this.#pass(pattern)) throw unreadable;
    return this.#text.slice(from, this.at);
  }

  #isOver(): boolean {
    return this.at >= this.#text.length;
  }

  #cutOff(): void {
    this.repairs.add("truncated");
  }
}

/** Behind the quote that ends a text: what may follow a value, the end of the line, or the end of everything. */
const afterValue = /[ \t\r]*(?:[,}\]\n]|\/[/*]|$)/y;

const otherEnds: Readonly<Record<string, RegExp>> = { '"': /"\s*(?:[,}\]]|$)/, "'": /'\s*(?:[,}\]]|$)/ };

const escapes: Readonly<Record<string, string>> = {
  ...{ '"': '"', "'": "'", "\\": "\\", "/": "/" },
  ...{ b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" },
};
