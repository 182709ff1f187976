/**
 * Characters that a reader cannot see or that change how text reads ("Trojan Source"): control and format characters
 * including bidirectional ones, characters without a glyph, and spaces other than the plain one. Reviewers see them as
 * codes.
 */
const hidden = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/u
  .source;

/** Parts of emoji hide nothing: the variation selector, and the joiner between two glyphs. */
const partOfEmoji =
  /(?<=\p{Extended_Pictographic})\ufe0f|(?<=\p{Extended_Pictographic}[\ufe0f\u{1f3fb}-\u{1f3ff}]?)\u200d(?=\p{Extended_Pictographic})/u
    .source;

const finder = new RegExp(`(?<emoji>${partOfEmoji})|(?<hidden>${hidden})`, "gu");

interface HiddenCharacter {
  /** Its code point, as `U+202E`. */
  readonly code: string;
  /** The Unicode name; empty when it would not help a reader. */
  readonly name: string;
}

/** A piece of visible text, or one hidden character. */
type TextPiece =
  | { readonly text: string; readonly hidden?: undefined }
  | { readonly text: string; readonly hidden: HiddenCharacter };

/** Splits a line at hidden characters. Tabs count as visible, because they are common. */
export function findHidden(line: string): readonly TextPiece[] {
  const pieces: TextPiece[] = [];
  let from = 0;
  for (const { index, groups } of line.matchAll(finder)) {
    const text = groups?.hidden;
    if (text === undefined || text === "\t") continue;
    if (index > from) pieces.push({ text: line.slice(from, index) });
    pieces.push({ text, hidden: describe(text.codePointAt(0) ?? 0) });
    from = index + text.length;
  }
  if (from < line.length || pieces.length === 0) pieces.push({ text: line.slice(from) });
  return pieces;
}

/** The number of hidden characters in a line, without a carriage return at the end. */
export function countHidden(line: string): number {
  const whole = line.endsWith("\r") ? line.slice(0, -1) : line;
  return findHidden(whole).filter((piece) => piece.hidden !== undefined).length;
}

/** A line with hidden characters as codes, for plain text. */
export function escapeHidden(line: string): string {
  return findHidden(line)
    .map(({ text, hidden: found }) => (found ? `<${found.code}>` : text))
    .join("");
}

function describe(point: number): HiddenCharacter {
  return {
    code: `U+${point.toString(16).toUpperCase().padStart(4, "0")}`,
    name: names[point] ?? "",
  };
}

const names: Readonly<Record<number, string>> = {
  0: "null",
  8: "backspace",
  13: "carriage return",
  27: "escape",
  127: "delete",
  160: "no-break space",
  173: "soft hyphen",
  847: "combining grapheme joiner",
  1564: "Arabic letter mark",
  4447: "Hangul choseong filler",
  4448: "Hangul jungseong filler",
  8203: "zero width space",
  8204: "zero width non-joiner",
  8205: "zero width joiner",
  8206: "left-to-right mark",
  8207: "right-to-left mark",
  8232: "line separator",
  8233: "paragraph separator",
  8234: "left-to-right embedding",
  8235: "right-to-left embedding",
  8236: "pop directional formatting",
  8237: "left-to-right override",
  8238: "right-to-left override",
  8239: "narrow no-break space",
  8288: "word joiner",
  8294: "left-to-right isolate",
  8295: "right-to-left isolate",
  8296: "first strong isolate",
  8297: "pop directional isolate",
  10240: "Braille blank",
  12288: "ideographic space",
  12644: "Hangul filler",
  65279: "zero width no-break space",
  65440: "halfwidth Hangul filler",
};
