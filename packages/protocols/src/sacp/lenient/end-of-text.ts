/**
 * Whether a quote inside of a text ends it. Models forget to escape quotes, so what follows decides. Each question looks at
 * white space and one name behind the quote, so the work for a text is proportional to its length.
 */
import { isInvisible, isSpace, quoteKind } from "./characters.ts";

/** What the reader knows about the place of a quote. */
export interface QuotePlace {
  readonly text: string;
  /** Behind the quote. */
  readonly at: number;
  readonly isInObject: boolean;
  /** Of the object or list that the text is in; the answer itself has 1. */
  readonly depth: number;
  /** Braces that the text has opened and not closed: it probably quotes JSON. */
  readonly openBraces: number;
  /** Names in this object have no quotes. */
  readonly hasBareKeys: boolean;
}

/** The longest name behind a comma that shows that the comma ends a member. */
const longestName = 128;

/** How far behind a closing brace a line is looked at for the real end. */
const restOfLine = 256;

/** Names of an answer, which come next even when a text seems to quote JSON. */
const knownNames = new Set(["thought", "status", "data", "message", "next_step_hint", "summary", "evidence"]);

export class TextEnds {
  /** Characters that were looked at. */
  looks = 0;

  endsHere(place: QuotePlace): boolean {
    const { text, at, isInObject } = place;
    const next = this.#past(text, at);
    const character = text[next];
    switch (character) {
      case undefined:
        return true;
      case "}":
      case "]":
        return ((character === "}") === isInObject || place.depth > 1) && this.#closes(place, next);
      case ",":
      case "，":
      case ";":
      case "；":
        return this.#isFollowedByMember(place, next + 1);
      case "/":
        return text[next + 1] === "/" || text[next + 1] === "*";
      case "#":
        return next > at;
      case "<":
        return text.startsWith("<!--", next);
      case "+":
        return quoteKind(text[this.#past(text, next + 1)]) !== undefined;
      case ")":
        return !isInObject;
    }
    if (quoteKind(character) !== undefined) return this.#isMissingComma(place, next);
    return place.hasBareKeys && text.slice(at, next).includes("\n") && this.#isBareKey(text, next);
  }

  /** Whether nothing follows. */
  isLast(text: string, at: number): boolean {
    return this.#past(text, at) === text.length;
  }

  /** Whether a quote at the end of a name is its end. */
  endsName(text: string, at: number): boolean {
    const next = text[this.#past(text, at)];
    return next === undefined || isColon(next);
  }

  /** Whether a new member begins behind a line break, so that the quote at the end of the line is missing. */
  isMissingQuote({ text, at, isInObject, openBraces }: QuotePlace): boolean {
    if (!isInObject || openBraces > 0) return false;
    return this.keyAt(text, this.#past(text, at)) !== undefined;
  }

  /** The quoted name of a member at a position, when a colon follows it, or when the text may be cut off in it. */
  keyAt(text: string, at: number, mayBeCut = false): string | undefined {
    const kind = quoteKind(text[at]);
    if (kind === undefined) return undefined;
    const limit = Math.min(text.length, at + longestName);
    for (let end = at + 1; end < limit; end++) {
      this.looks++;
      const character = text[end] as string;
      if (character === "\n") return undefined;
      if (character === "\\") end++;
      else if (quoteKind(character) === kind && (character !== "`" || text[at] === "`")) {
        const behind = text[this.#past(text, end + 1)];
        return (behind === undefined && mayBeCut) || isColon(behind) ? text.slice(at + 1, end) : undefined;
      }
    }
    return mayBeCut && limit === text.length ? text.slice(at + 1) : undefined;
  }

  /** Whether an answer begins in the next line, so that the text it seems to be in was never closed. */
  isNewAnswer({ text, at }: QuotePlace): boolean {
    const brace = this.#past(text, at);
    if (text[brace] !== "{") return false;
    const key = this.keyAt(text, this.#past(text, brace + 1));
    return key === "thought" || key === "status";
  }

  #isFollowedByMember(place: QuotePlace, from: number): boolean {
    const { text, isInObject, depth, openBraces, hasBareKeys } = place;
    const next = this.#past(text, from);
    const character = text[next];
    if (character === undefined || "}]),/#…".includes(character) || text.startsWith("...", next)) return true;
    if (isInObject) {
      const key = this.keyAt(text, next, true);
      if (key !== undefined) return openBraces <= 0 || depth > 1 || knownNames.has(key);
      return hasBareKeys && this.#isBareKey(text, next);
    }
    if (quoteKind(character) !== undefined) return true;
    return (
      /[-\d{[(]/.test(character) || /(?:true|false|null|None|True|False)\b/y.test(text.slice(next, next + 8))
    );
  }

  /** Two texts in a row: a comma is missing between them, or the first quote is inside of the text. */
  #isMissingComma({ text, at, isInObject, openBraces }: QuotePlace, next: number): boolean {
    if (next === at) return false;
    if (isInObject) return openBraces <= 0 && this.keyAt(text, next) !== undefined;
    const behind = text[this.#past(text, next + 1)];
    return behind !== undefined && !",]".includes(behind);
  }

  #closes({ text, at, depth, openBraces }: QuotePlace, brace: number): boolean {
    if (text[brace] === "}" && openBraces > 0) return !this.#hasLaterQuote(text, at);
    const next = this.#past(text, brace + 1);
    const character = text[next];
    if (character === undefined || "}],;)`".includes(character)) return true;
    if (depth > 1) {
      if (quoteKind(character) !== undefined) return next > brace + 1 && this.keyAt(text, next) !== undefined;
      return character === "/" || character === "#" || isComma(character);
    }
    if (quoteKind(character) !== undefined && next === brace + 1) return false;
    if (text.slice(brace, next).includes("\n")) return true;
    // Prose behind the answer, or the rest of the text: then its real end stands in the same line.
    const rest = text.slice(next, next + restOfLine);
    this.looks += rest.length;
    return !/^[^\n{]*["”]\s*[,}]/.test(rest);
  }

  /** Looks as far as the next such quote, which is where the reader stops next. */
  #hasLaterQuote(text: string, at: number): boolean {
    const found = text.indexOf(text[at - 1] as string, at);
    this.looks += (found === -1 ? text.length : found) - at;
    return found !== -1;
  }

  #isBareKey(text: string, at: number): boolean {
    const name = /[A-Za-z_$][\w$-]{0,127}\s{0,8}[:=：]/y;
    name.lastIndex = at;
    const found = name.exec(text);
    this.looks += found?.[0].length ?? 1;
    return found !== null;
  }

  #past(text: string, from: number): number {
    let at = from;
    while (at < text.length) {
      const code = text.charCodeAt(at);
      if (!isSpace(code) && !isInvisible(code)) break;
      at++;
    }
    this.looks += at - from + 1;
    return at;
  }
}

export function isColon(character: string | undefined): boolean {
  return character === ":" || character === "：" || character === "=";
}

export function isComma(character: string | undefined): boolean {
  return character === "," || character === "，" || character === ";" || character === "；";
}
