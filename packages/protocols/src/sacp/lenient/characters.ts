/** Characters that stand for others in what language models write. */

/** Quotes that open a text. The closing ones of a kind are interchangeable: models mix them. */
const doubleQuotes = "“”„‟«»＂″";
const singleQuotes = "‘’‚‛`´＇′";

export type QuoteKind = "double" | "single";

/** Undefined when the character opens no text. */
export function quoteKind(character: string | undefined): QuoteKind | undefined {
  if (character === undefined || character === "") return undefined;
  if (character === '"' || doubleQuotes.includes(character)) return "double";
  if (character === "'" || singleQuotes.includes(character)) return "single";
  return undefined;
}

/** Which characters end a text, or need care in it, after its opening quote. */
export type Stops = "plain" | "apostrophe" | "backtick" | QuoteKind;

export function stopsOf(open: string): Stops {
  if (open === '"') return "plain";
  if (open === "'") return "apostrophe";
  return open === "`" ? "backtick" : (quoteKind(open) ?? "double");
}

/** A plain quote may be closed by a typographic one, so these stop the reading too. */
export function isStop(code: number, stops: Stops): boolean {
  if (code === 92) return true;
  if (code < 32 || (code >= 127 && code <= 0x9f)) return stops !== "backtick";
  switch (stops) {
    case "plain":
      return code === 34 || code === 0x201c || code === 0x201d;
    case "apostrophe":
      return code === 39;
    case "backtick":
      return code === 96;
    default:
      return (
        (code < 128 ? code === 34 || code === 39 || code === 96 : code <= 0xbb || code >= 0x2018) &&
        quoteKind(String.fromCharCode(code)) === stops
      );
  }
}

/** White space of JSON and of typography. The byte order mark and what cannot be seen count as white space and are reported. */
export function isSpace(code: number): boolean {
  return (
    code === 32 ||
    code === 10 ||
    code === 13 ||
    code === 9 ||
    (code > 126 && isWideSpace(code)) ||
    code === 11
  );
}

function isWideSpace(code: number): boolean {
  return (
    code === 0xa0 ||
    (code >= 0x2000 && code <= 0x200a) ||
    code === 0x2028 ||
    code === 0x2029 ||
    code === 0x3000
  );
}

/** Zero-width characters, joiners, marks of direction, the byte order mark, and what is left of a wrong decoding. */
export function isInvisible(code: number): boolean {
  if (code < 32) return code !== 10 && code !== 13 && code !== 9 && code !== 11;
  if (code < 0xad) return code >= 127 && code <= 0x9f;
  return (
    code === 0xad ||
    (code >= 0x200b && code <= 0x200f) ||
    (code >= 0x202a && code <= 0x202e) ||
    (code >= 0x2060 && code <= 0x206f) ||
    code === 0xfeff ||
    code === 0xfffd
  );
}

/** Without what cannot be seen. */
export function withoutInvisible(text: string): string {
  return text.replaceAll(/\p{Cf}|\ufffd|[^\P{Cc}\s]/gu, "");
}
