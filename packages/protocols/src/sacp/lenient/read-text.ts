import { quoteKind, stopPattern } from "./characters.ts";
import type { TextEnds } from "./end-of-text.ts";
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
  const open = source[start] as string;
  const repairs = new Set<Repair>();
  const triple = open.repeat(3);
  if (!trustsQuotes && (open === '"' || open === "'") && source.startsWith(triple, start)) {
    const end = source.indexOf(triple, start + 3);
    if (end !== -1) {
      repairs.add("triple quotes");
      return { text: source.slice(start + 3, end), end: end + 3, repairs, isComplete: true };
    }
    ends.looks += source.length - start;
  }
  if (open !== '"') repairs.add(open === "'" || open === "`" ? "single quotes" : "typographic quotes");
  const stop = stopPattern(open);
  const where = { isInObject: place.isInObject, depth: place.depth, hasBareKeys: place.hasBareKeys ?? false };
  let text = "";
  let from = start + 1;
  let openBraces = 0;
  let openTypographic = 0;
  for (;;) {
    stop.lastIndex = from;
    const found = stop.exec(source)?.index ?? source.length;
    const piece = source.slice(from, found);
    text += piece;
    if (found === source.length) return { text, end: found, repairs, isComplete: false };
    const mark = source[found] as string;
    if (place.isKey && (found - start > longestKey || mark === "\n")) return undefined;
    from = found + 1;
    if (mark === "\\") {
      const read = readEscape(source, found);
      text += read.text;
      from = read.end;
      if (read.repair) repairs.add(read.repair);
      continue;
    }
    if (!trustsQuotes) openBraces += bracesOf(piece);
    const spot = { text: source, at: from, openBraces, ...where };
    if (quoteKind(mark) === undefined) {
      if (mark === "\n" && !trustsQuotes && ends.isNewAnswer(spot)) return undefined;
      if (mark === "\n" && !trustsQuotes && ends.isMissingQuote(spot)) {
        repairs.add("missing quote");
        const { length } = text.trimEnd().replace(/[,，]$/, "");
        // The comma belongs to the object.
        return {
          text: text.slice(0, length),
          end: found - (text.length - length),
          repairs,
          isComplete: true,
        };
      }
      repairs.add(
        mark < " " && mark !== "\n" && mark !== "\r"
          ? "control character inside of a text"
          : "line break inside of a text",
      );
      text += mark;
      continue;
    }
    const isPlain = open !== '"' || mark === '"';
    if (!isPlain) {
      // Ordinary text, unless nothing opened it and a member or the end follows.
      if (mark === "“" || mark === "„") openTypographic++;
      else if (openTypographic > 0) openTypographic--;
      else if (!trustsQuotes && ends.endsHere(spot)) {
        repairs.add("typographic quotes");
        return { text, end: from, repairs, isComplete: true };
      }
      text += mark;
      continue;
    }
    if (trustsQuotes || (place.isKey ? ends.endsName(source, from) : ends.endsHere(spot))) {
      return { text, end: from, repairs, isComplete: true };
    }
    repairs.add("quote inside of a text");
    text += mark;
  }
}

/** Opened less closed braces of a piece of text. */
function bracesOf(piece: string): number {
  let open = 0;
  for (let at = piece.indexOf("{"); at !== -1; at = piece.indexOf("{", at + 1)) open++;
  for (let at = piece.indexOf("}"); at !== -1; at = piece.indexOf("}", at + 1)) open--;
  return open;
}

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
