/**
 * Text of agents must not control the terminal: a control character can move the cursor, rename the window or hide text,
 * and a bidirectional one can reorder a line. Each is printed as an escape sequence instead.
 */
const controls =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to find
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]|\p{Cs}/gu;

/** For one line: line breaks and tabs become spaces. */
export function escapeLine(text: string): string {
  return text.replaceAll(/\s*[\r\n]+\s*|\t/g, " ").replaceAll(controls, escapeCharacter);
}

/** For text of several lines: line breaks stay. */
export function escapeLines(text: string): readonly string[] {
  return text
    .replaceAll("\t", "  ")
    .split(/\r\n|\r|\n/)
    .map((line) => line.replaceAll(controls, escapeCharacter));
}

/** JSON stays the same document: the characters are written as JSON's own escapes. */
export function escapeJson(json: string): string {
  return json.replaceAll(controls, (character) =>
    character === "\n"
      ? character
      : Array.from({ length: character.length }, (_, at) => hex(character.charCodeAt(at))).join(""),
  );
}

function hex(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, "0")}`;
}

function escapeCharacter(character: string): string {
  const point = character.codePointAt(0) ?? 0;
  return point < 0x100 ? `\\x${point.toString(16).padStart(2, "0")}` : `\\u{${point.toString(16)}}`;
}

/** The beginning of a text that is too long for a line. */
export function shorten(text: string, maxLength: number, ellipsis: string): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength).trimEnd()}${ellipsis}`;
}
