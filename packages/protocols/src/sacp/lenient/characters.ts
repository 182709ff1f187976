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

/** Where a text may end, or needs care, after its opening quote. Shared: set `lastIndex` before each use. */
export function stopPattern(open: string): RegExp {
  return stops[open] ?? (quoteKind(open) === "double" ? typographicDouble : typographicSingle);
}

/** A plain quote may be closed by a typographic one, so these stop the reading too. */
const stops: Readonly<Record<string, RegExp>> = {
  '"': /["“”\\\p{Cc}]/gu,
  "'": /['\\\p{Cc}]/gu,
  "`": /[`\\]/g,
};
const typographicDouble = /["“”„‟«»＂″\\\p{Cc}]/gu;
const typographicSingle = /['‘’‚‛`´＇′\\\p{Cc}]/gu;

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
