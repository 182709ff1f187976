import { escapeLine } from "./escape.ts";
import { type Piece, paint, piece, signsOf } from "./ink.ts";
import type { Look } from "./look.ts";
import { cut, pad, widthOf, wrap } from "./width.ts";

export interface Column {
  readonly heading: string;
  /** Gives way first when the line is too long. */
  readonly flexible?: boolean;
  /** Numbers stand under each other. */
  readonly right?: boolean;
  /** Left out, the last one first, where a table would not fit; a card still has it. */
  readonly spare?: boolean;
  /** The last one only: what is long goes on in the next lines, below the whole row where there is little room beside it. */
  readonly wraps?: boolean;
}

/** Narrower than this, a table is a riddle: each row becomes a card. */
const narrowest = 60;
/** How far a flexible column gives way: not far while another could be left out instead. */
const leastFlexible = { withSpare: 24, atLast: 10 } as const;
const gap = "  ";

export type Row = readonly Piece[];

/** Rows under headings where there is room, else a card for each. The first cell of a row names it. */
export function renderTable(
  look: Look,
  columns: readonly Column[],
  rows: readonly Row[],
  indent = "",
): readonly string[] {
  return renderRows(look, columns, rows, indent) ?? renderCards(look, columns, rows, indent);
}

/** Rows under headings; undefined where there is no room for them. */
export function renderRows(
  look: Look,
  columns: readonly Column[],
  rows: readonly Row[],
  indent = "",
): readonly string[] | undefined {
  if (look.columns < narrowest) return undefined;
  let kept = usedPlaces(columns, rows);
  while (true) {
    const [heads, cells] = [pick(columns, kept), rows.map((row) => pick(row, kept))];
    const spare = spareIn(columns, kept);
    const least = spare === undefined ? leastFlexible.atLast : leastFlexible.withSpare;
    const widths = fit(look.columns - indent.length, heads, cells, least);
    const room = look.columns - indent.length;
    const beside = widths && (spare !== undefined || isWide(heads, cells, widths));
    const under = beside ? undefined : fitUnder(room, heads, cells, spare);
    if (widths !== undefined && (beside || under === undefined))
      return [
        ...alignRows(look, heads, cells, widths, indent),
        ...tellLeftOut(look, columns, rows, kept, indent),
      ];
    if (under !== undefined)
      return [
        ...alignRows(look, heads.slice(0, -1), cells, under, indent),
        ...tellLeftOut(look, columns, rows, kept, indent),
      ];
    if (spare === undefined) return undefined;
    kept = kept.filter((at) => at !== spare);
  }
}

/** Whether what wraps has room enough beside the rest. */
function isWide(columns: readonly Column[], rows: readonly Row[], widths: readonly number[]): boolean {
  const last = columns.length - 1;
  const width = widths[last] ?? 0;
  if (!columns[last]?.wraps || width >= leastFlexible.withSpare) return true;
  return rows.every((row) => widthOf(escapeLine(row[last]?.text ?? "")) <= width);
}

/** Widths of the others, where what wraps stands below them. */
function fitUnder(
  room: number,
  columns: readonly Column[],
  rows: readonly Row[],
  spare: number | undefined,
): readonly number[] | undefined {
  if (spare !== undefined || !columns.at(-1)?.wraps) return undefined;
  return fit(room, columns.slice(0, -1), rows, leastFlexible.atLast);
}

/** What is not shown for want of room is named. */
function tellLeftOut(
  look: Look,
  columns: readonly Column[],
  rows: readonly Row[],
  kept: readonly number[],
  indent: string,
): readonly string[] {
  const out = usedPlaces(columns, rows).filter((at) => !kept.includes(at));
  if (out.length === 0) return [];
  const names = pick(columns, out).map(({ heading }) => heading.toLowerCase());
  const text = `(no room for ${names.join(", ")}: a wider terminal or --output json shows more)`;
  return wrap(text, look.columns - indent.length).map((line) => indent + paint(look, piece(line, "quiet")));
}

function usedPlaces(columns: readonly Column[], rows: readonly Row[]): readonly number[] {
  return columns
    .keys()
    .filter((at) => rows.some((row) => row[at]?.text))
    .toArray();
}

function spareIn(columns: readonly Column[], kept: readonly number[]): number | undefined {
  return kept.findLast((at) => columns[at]?.spare);
}

function pick<Item>(items: readonly Item[], places: readonly number[]): readonly Item[] {
  return places.flatMap((at) => items[at] ?? []);
}

/** Widths of the columns; undefined when they do not fit beside each other. */
function fit(
  room: number,
  columns: readonly Column[],
  rows: readonly Row[],
  least: number,
): readonly number[] | undefined {
  const widths = columns.map(({ heading }, at) =>
    Math.max(widthOf(heading), ...rows.map((row) => widthOf(escapeLine(row[at]?.text ?? "")))),
  );
  const all = widths.reduce((sum, width) => sum + width, gap.length * (columns.length - 1));
  const excess = all - room;
  if (excess <= 0) return widths;
  return giveWay(widths, columns, excess, least);
}

/** What is flexible gives way, the last one first; undefined when that does not do. */
function giveWay(
  widths: readonly number[],
  columns: readonly Column[],
  excess: number,
  least: number,
): readonly number[] | undefined {
  let left = excess;
  const narrowed = widths.map((width) => width);
  for (let at = columns.length - 1; at >= 0 && left > 0; at--) {
    const width = widths[at] ?? 0;
    if (!columns[at]?.flexible || width <= least) continue;
    const given = Math.min(left, width - least);
    narrowed[at] = width - given;
    left -= given;
  }
  return left > 0 ? undefined : narrowed;
}

function alignRows(
  look: Look,
  columns: readonly Column[],
  rows: readonly Row[],
  widths: readonly number[],
  indent: string,
): readonly string[] {
  const { ellipsis } = signsOf(look);
  const line = (cells: readonly Piece[]) =>
    (
      indent +
      cells
        .map((cell, at) => {
          const width = widths[at] ?? 0;
          const text = cut(escapeLine(cell.text), width, ellipsis);
          const painted = paint(look, { text, tone: cell.tone });
          return columns[at]?.right ? " ".repeat(width - widthOf(text)) + painted : pad(painted, width);
        })
        .join(gap)
    ).trimEnd();
  const lines = (row: Row): readonly string[] => {
    const shown = row.slice(0, columns.length);
    const last = row.at(-1) ?? piece("");
    // What wraps has no column where it stands below.
    if (row.length > columns.length)
      return [line(shown), ...below(look, last, indent + " ".repeat(widths[0] ?? 0) + gap)];
    if (!columns.at(-1)?.wraps) return [line(shown)];
    const [first = "", ...more] = wrap(escapeLine(last.text), widths.at(-1) ?? 0);
    const blank = columns.slice(0, -1).map(() => piece(""));
    const withText = (cells: Row, text: string) => line([...cells, { text, tone: last.tone }]);
    return [withText(shown.slice(0, -1), first), ...more.map((text) => withText(blank, text))];
  };
  return [line(columns.map(({ heading }) => piece(heading, "quiet"))), ...rows.flatMap(lines)];
}

function below(look: Look, { text, tone }: Piece, indent: string): readonly string[] {
  if (text === "") return [];
  const lines = wrap(escapeLine(text), look.columns - indent.length);
  return lines.map((line) => indent + paint(look, { text: line, tone }));
}

function renderCards(
  look: Look,
  columns: readonly Column[],
  rows: readonly Row[],
  indent: string,
): readonly string[] {
  const places = usedPlaces(columns, rows);
  const [, ...others] = pick(columns, places);
  return rows.flatMap((row, at) => {
    const [name = piece(""), ...cells] = pick(row, places);
    const title = wrap(escapeLine(name.text), look.columns - indent.length).map(
      (text) => indent + paint(look, { text, tone: name.tone === "plain" ? "strong" : name.tone }),
    );
    const facts = others.map(
      ({ heading }, place): Fact => [heading.toLowerCase(), cells[place] ?? piece("")],
    );
    const card = [...title, ...renderFacts(look, facts, `${indent}  `)];
    return at === 0 ? card : ["", ...card];
  });
}

export type Fact = readonly [name: string, value: Piece];

/** Names and values below each other; what is empty is left out, what is long goes on in the next line. */
export function renderFacts(look: Look, facts: readonly Fact[], indent = ""): readonly string[] {
  const told = facts.filter(([, value]) => value.text !== "");
  const width = Math.max(0, ...told.map(([name]) => widthOf(name)));
  const room = Math.max(20, look.columns - indent.length - width - gap.length);
  return told.flatMap(([name, value]) =>
    wrap(escapeLine(value.text), room).map((text, at) => {
      const head = at === 0 ? paint(look, piece(name, "quiet")) : "";
      return `${indent}${pad(head, width)}${gap}${paint(look, { text, tone: value.tone })}`;
    }),
  );
}
