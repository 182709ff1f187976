import { isSpace, isStop, quoteKind, type Stops, stopsOf } from "./characters.ts";
import type { QuotePlace, TextEnds } from "./end-of-text.ts";
import type { Repair } from "./repairs.ts";

/** Where a text stands. */
export interface TextPlace {
  readonly isKey: boolean;
  readonly isInObject: boolean;
  readonly depth: number;
  readonly hasBareKeys?: boolean;
}

interface ReadText {
  readonly text: string;
  readonly end: number;
  readonly repairs: ReadonlySet<Repair>;
  readonly isComplete: boolean;
}

/** No name of a member is longer. */
const longestKey = 1_024;

/** Reads the text at the quote at a position. Undefined when it has no end. */
export function readText(
  source: string,
  start: number,
  place: TextPlace,
  { ends, trustsQuotes }: { readonly ends: TextEnds; readonly trustsQuotes: boolean },
): ReadText | undefined {
  return new TextReader(source, start, place, ends, trustsQuotes).read();
}

class TextReader {
  readonly #source: string;
  readonly #start: number;
  readonly #place: TextPlace;
  readonly #ends: TextEnds;
  readonly #trustsQuotes: boolean;
  readonly #repairs = new Set<Repair>();
  /** What was read up to the last escape. The source holds the rest as it is. */
  #unescaped = "";
  #from: number;
  #at: number;
  #openBraces = 0;
  #openTypographic = 0;

  constructor(source: string, start: number, place: TextPlace, ends: TextEnds, trustsQuotes: boolean) {
    this.#source = source;
    this.#start = start;
    this.#place = place;
    this.#ends = ends;
    this.#trustsQuotes = trustsQuotes;
    this.#from = start + 1;
    this.#at = start + 1;
  }

  read(): ReadText | undefined {
    const open = this.#source[this.#start] as string;
    const tripled = this.#trustsQuotes ? undefined : this.#readTripled(open);
    if (tripled) return tripled;
    if (open !== '"')
      this.#repairs.add(open === "'" || open === "`" ? "single quotes" : "typographic quotes");
    const stops = stopsOf(open);
    for (;;) {
      this.#passTo(stops);
      if (this.#at >= this.#source.length) return this.#done(this.#at, this.#at, false);
      const mark = this.#source[this.#at] as string;
      if (this.#place.isKey && (this.#at - this.#start > longestKey || mark === "\n")) return undefined;
      this.#at++;
      if (mark === "\\") this.#unescape();
      else if (quoteKind(mark) === undefined) {
        const ended = mark === "\n" && !this.#trustsQuotes ? this.#endOfLine() : "goes on";
        if (ended !== "goes on") return ended;
        this.#repairs.add(
          mark === "\n" || mark === "\r"
            ? "line break inside of a text"
            : "control character inside of a text",
        );
      } else if (this.#isEnd(open, mark)) return this.#done(this.#at - 1, this.#at, !this.#mayGoOn());
    }
  }

  #passTo(stops: Stops): void {
    for (; this.#at < this.#source.length; this.#at++) {
      const code = this.#source.charCodeAt(this.#at);
      if (isStop(code, stops)) return;
      if (code === openBrace) this.#openBraces++;
      else if (code === closeBrace) this.#openBraces--;
    }
  }

  #isEnd(open: string, mark: string): boolean {
    const isTypographic = open === '"' && mark !== '"';
    if (this.#trustsQuotes) return !isTypographic;
    if (isTypographic) return this.#isTypographicEnd(mark);
    if (this.#place.isKey ? this.#ends.endsName(this.#source, this.#at) : this.#ends.endsHere(this.#spot()))
      return true;
    this.#repairs.add("quote inside of a text");
    return false;
  }

  /** At the end of everything, after quotes that did not end the text: this one may not end it either. */
  #mayGoOn(): boolean {
    return this.#repairs.has("quote inside of a text") && this.#ends.isLast(this.#source, this.#at);
  }

  /** Ordinary text, unless nothing opened it and a member or the end follows. */
  #isTypographicEnd(mark: string): boolean {
    if (mark === "“") this.#openTypographic++;
    else if (this.#openTypographic > 0) this.#openTypographic--;
    else if (this.#ends.endsHere(this.#spot())) {
      this.#repairs.add("typographic quotes");
      return true;
    }
    return false;
  }

  /** At a line break: the quote before it may be missing. Undefined when a new answer begins behind it. */
  #endOfLine(): ReadText | "goes on" | undefined {
    if (this.#ends.isNewAnswer(this.#spot())) return undefined;
    if (!this.#ends.isMissingQuote(this.#spot())) return "goes on";
    this.#repairs.add("missing quote");
    // The comma belongs to the object.
    let end = this.#at - 1;
    while (end > this.#from && isSpace(this.#source.charCodeAt(end - 1))) end--;
    if (end > this.#from && ",，".includes(this.#source[end - 1] as string)) end--;
    return this.#done(end, end, true);
  }

  /** As Python writes texts of several lines. */
  #readTripled(open: string): ReadText | undefined {
    const triple = open.repeat(3);
    if ((open !== '"' && open !== "'") || !this.#source.startsWith(triple, this.#start)) return undefined;
    const end = this.#source.indexOf(triple, this.#start + 3);
    this.#ends.looks += (end === -1 ? this.#source.length : end) - this.#start;
    if (end === -1) return undefined;
    this.#repairs.add("triple quotes");
    this.#from = this.#start + 3;
    return this.#done(end, end + 3, true);
  }

  #unescape(): void {
    const read = readEscape(this.#source, this.#at - 1);
    this.#unescaped += this.#source.slice(this.#from, this.#at - 1) + read.text;
    this.#at = read.end;
    this.#from = read.end;
    if (read.repair) this.#repairs.add(read.repair);
  }

  #spot(): QuotePlace {
    const { isInObject, depth, hasBareKeys = false } = this.#place;
    return { text: this.#source, at: this.#at, openBraces: this.#openBraces, isInObject, depth, hasBareKeys };
  }

  #done(end: number, next: number, isComplete: boolean): ReadText {
    const text = this.#unescaped + this.#source.slice(this.#from, end);
    return { text, end: next, repairs: this.#repairs, isComplete };
  }
}

const openBrace = 123;
const closeBrace = 125;

interface Escape {
  readonly text: string;
  readonly end: number;
  readonly repair?: Repair;
}

/** What JSON does not know keeps its backslash: it belongs to a path, a pattern or a formula. */
function readEscape(source: string, at: number): Escape {
  const next = source[at + 1] ?? "";
  const plain = escapes[next];
  if (plain !== undefined) return { text: plain, end: at + 2 };
  const digits =
    next === "u" ? source.slice(at + 2, at + 6) : next === "x" ? source.slice(at + 2, at + 4) : "";
  if (digits.length === (next === "u" ? 4 : 2) && /^[0-9a-fA-F]+$/.test(digits)) {
    const text = String.fromCharCode(Number.parseInt(digits, 16));
    return { text, end: at + 2 + digits.length, ...(next === "x" && { repair: "unknown escape" as const }) };
  }
  const known = foreignEscapes[next];
  return { text: known ?? `\\${next}`, end: at + 1 + next.length, repair: "unknown escape" };
}

const escapes: Readonly<Record<string, string>> = {
  ...{ '"': '"', "\\": "\\", "/": "/" },
  ...{ b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" },
};

/** Of JavaScript and Python; a line break after a backslash continues the line. */
const foreignEscapes: Readonly<Record<string, string>> = { "'": "'", "`": "`", "\n": "" };
