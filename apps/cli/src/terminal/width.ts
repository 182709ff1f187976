import { stripVTControlCharacters } from "node:util";

/** Blocks whose characters take two columns on a terminal (East Asian Width W and F). */
const wideBlocks: readonly (readonly [first: number, last: number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0x33ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xa000, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe10, 0xfe19],
  [0xfe30, 0xfe6f],
  [0xff01, 0xff60],
  [0xffe0, 0xffe6],
  [0x16fe0, 0x18cff],
  [0x1b000, 0x1b2ff],
  [0x20000, 0x3fffd],
];

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });
const emoji = /\p{Emoji_Presentation}|\p{Extended_Pictographic}\u{fe0f}/u;
const withoutWidth = /^[\p{Mn}\p{Me}\p{Cf}]+$/u;
const plainAscii = /^[\u0020-\u007e]*$/;

/** Columns that a text takes, colours apart. */
export function widthOf(text: string): number {
  if (plainAscii.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes.segment(stripVTControlCharacters(text))) width += clusterWidth(segment);
  return width;
}

/** Spaces are added up to the width. */
export function pad(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - widthOf(text)));
}

/** As much as fits, without colours, with an ellipsis where something was left out. */
export function cut(text: string, width: number, ellipsis: string): string {
  if (widthOf(text) <= width) return text;
  const room = Math.max(0, width - ellipsis.length);
  let [taken, used] = ["", 0];
  for (const { segment } of graphemes.segment(text)) {
    used += clusterWidth(segment);
    if (used > room) break;
    taken += segment;
  }
  return (taken.trimEnd() + ellipsis).slice(0, Math.max(1, width));
}

/** The same from the end, from the beginning of a word: for what grows there. */
export function cutFront(text: string, width: number, ellipsis: string): string {
  if (widthOf(text) <= width) return text;
  const words = text.split(" ");
  let taken = words.pop() ?? "";
  for (let word = words.pop(); word !== undefined; word = words.pop()) {
    const longer = `${word} ${taken}`;
    if (widthOf(longer) + ellipsis.length > width) break;
    taken = longer;
  }
  return cut(ellipsis + taken, width, ellipsis);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one
const colour = /(\u001b\[[0-9;]*m)/;

/** The same for a line with colours, which are kept: what comes after its end would have them otherwise. */
export function cutPainted(line: string, width: number): string {
  if (widthOf(line) <= width) return line;
  let left = width;
  return line
    .split(colour)
    .map((part) => {
      if (colour.test(part)) return part;
      let shown = "";
      for (const { segment } of graphemes.segment(part)) {
        left -= clusterWidth(segment);
        if (left < 0) break;
        shown += segment;
      }
      return shown;
    })
    .join("");
}

/** Broken between words; a word that is wider than the line is broken inside. */
export function wrap(text: string, width: number): readonly string[] {
  if (widthOf(text) <= width) return [text];
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ").flatMap((long) => pieces(long, width))) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (widthOf(longer) <= width) line = longer;
    else {
      if (line !== "") lines.push(line);
      line = word;
    }
  }
  return [...lines, line];
}

/** The same for a line that begins with spaces: what follows stands two columns further in. */
export function wrapIndented(line: string, width: number): readonly string[] {
  const indent = /^ */.exec(line)?.[0] ?? "";
  const room = Math.max(20, width - indent.length - 2);
  if (widthOf(line) <= width) return [line];
  return wrap(line.trimStart(), room).map((text, at) => `${indent}${at === 0 ? "" : "  "}${text}`);
}

function pieces(word: string, width: number): readonly string[] {
  if (widthOf(word) <= width) return [word];
  const found: string[] = [];
  let [piece, used] = ["", 0];
  for (const { segment } of graphemes.segment(word)) {
    const more = clusterWidth(segment);
    if (used + more > width && piece !== "") {
      found.push(piece);
      [piece, used] = ["", 0];
    }
    piece += segment;
    used += more;
  }
  return [...found, piece];
}

function clusterWidth(cluster: string): number {
  if (withoutWidth.test(cluster)) return 0;
  if (emoji.test(cluster)) return 2;
  const point = cluster.codePointAt(0) ?? 0;
  return wideBlocks.some(([first, last]) => point >= first && point <= last) ? 2 : 1;
}
