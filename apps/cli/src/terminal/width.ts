import { createRequire } from "node:module";

type StringWidth = (text: string) => number;

const load = createRequire(import.meta.url);
let loaded: StringWidth | undefined;

/** Loaded for other text than most commands print: it compiles all emoji, which takes a tenth of the time of a command. */
function stringWidth(text: string): number {
  loaded ??= (load("string-width") as { readonly default: StringWidth }).default;
  return loaded(text);
}

/** Latin letters, frames and marks: one column each. */
const narrow = /^[\u0020-\u007e\u00c0-\u024f\u2010-\u2027\u2190-\u2193\u2500-\u257f\u2713\u2717]*$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one
const colour = /(\u001b\[[0-9;]*m)/;

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Columns that a text takes on a terminal; colours take none. */
export function widthOf(text: string): number {
  const bare = text
    .split(colour)
    .filter((_, at) => at % 2 === 0)
    .join("");
  return narrow.test(bare) ? bare.length : stringWidth(text);
}

/** Pads with spaces up to the width. */
export function pad(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - widthOf(text)));
}

/** Cuts a text without colours to the width, with an ellipsis where something is left out. */
export function cut(text: string, width: number, ellipsis: string): string {
  if (widthOf(text) <= width) return text;
  const kept = fitting(text, Math.max(0, width - ellipsis.length));
  return (kept.trimEnd() + ellipsis).slice(0, Math.max(1, width));
}

/** Keeps the end instead, from the beginning of a word: for text that grows. */
export function cutFront(text: string, width: number, ellipsis: string): string {
  if (widthOf(text) <= width) return text;
  const words = text.split(" ");
  let kept = words.pop() ?? "";
  for (let word = words.pop(); word !== undefined; word = words.pop()) {
    const longer = `${word} ${kept}`;
    if (widthOf(longer) + ellipsis.length > width) break;
    kept = longer;
  }
  return cut(ellipsis + kept, width, ellipsis);
}

/** Cuts a line with colours. All colour codes stay, so that the ones at the end still reset the colour. */
export function cutPainted(line: string, width: number): string {
  if (widthOf(line) <= width) return line;
  let left = width;
  return line
    .split(colour)
    .map((part) => {
      if (colour.test(part)) return part;
      const visible = fitting(part, left);
      left = visible === part ? left - widthOf(part) : 0;
      return visible;
    })
    .join("");
}

/** Breaks between words, and inside a word that is wider than the line. */
export function wrap(text: string, width: number): readonly string[] {
  if (widthOf(text) <= width) return [text];
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ").flatMap((long) => breakWord(long, width))) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (widthOf(longer) <= width) line = longer;
    else {
      if (line !== "") lines.push(line);
      line = word;
    }
  }
  return [...lines, line];
}

/** Wraps a line that begins with spaces: further lines are indented by two more columns. */
export function wrapIndented(line: string, width: number): readonly string[] {
  const indent = /^ */.exec(line)?.[0] ?? "";
  const room = Math.max(20, width - indent.length - 2);
  if (widthOf(line) <= width) return [line];
  return wrap(line.trimStart(), room).map((text, at) => `${indent}${at === 0 ? "" : "  "}${text}`);
}

function breakWord(word: string, width: number): readonly string[] {
  if (widthOf(word) <= width) return [word];
  const parts: string[] = [];
  let [part, used] = ["", 0];
  for (const cluster of clustersOf(word)) {
    const more = widthOf(cluster);
    if (part !== "" && used + more > width) {
      parts.push(part);
      [part, used] = ["", 0];
    }
    part += cluster;
    used += more;
  }
  return [...parts, part];
}

/** The longest beginning that fits into the width. */
function fitting(text: string, width: number): string {
  let [kept, used] = ["", 0];
  for (const cluster of clustersOf(text)) {
    used += widthOf(cluster);
    if (used > width) break;
    kept += cluster;
  }
  return kept;
}

/** Characters as a reader sees them. One of more than two columns is drawn part by part, so it may be broken. */
function* clustersOf(text: string): Generator<string> {
  for (const { segment } of graphemes.segment(text))
    if (widthOf(segment) <= 2) yield segment;
    else yield* segment;
}
