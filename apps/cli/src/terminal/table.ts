import { escapeLine } from "./escape.ts";
import { type Piece, paint, piece, signsOf } from "./paint.ts";
import type { Terminal } from "./terminal.ts";
import { cut, pad, widthOf, wrap } from "./width.ts";

export interface Column {
  readonly heading: string;
  /** Shortened first when the line is too long. */
  readonly flexible?: boolean;
  /** Aligned to the right, for numbers. */
  readonly right?: boolean;
  /** Omitted, the last one first, where a table would not fit; a card still has it. */
  readonly spare?: boolean;
  /** Last column only: long text is wrapped, below the whole row where there is little room beside it. */
  readonly wraps?: boolean;
}

/** Below this width each row becomes a card. */
const narrowest = 60;
/** The least width of a flexible column: larger while another column can be omitted instead. */
const leastFlexible = { withSpare: 24, atLast: 10 } as const;
const gap = "  ";

export type Row = readonly Piece[];

/** A table if there is room, else a card per row, named by its first cell. */
export function renderTable(
  terminal: Terminal,
  columns: readonly Column[],
  rows: readonly Row[],
  indent = "",
): readonly string[] {
  return renderRows(terminal, columns, rows, indent) ?? renderCards(terminal, columns, rows, indent);
}

/** A table; undefined where it does not fit. */
export function renderRows(
  terminal: Terminal,
  columns: readonly Column[],
  rows: readonly Row[],
  indent = "",
): readonly string[] | undefined {
  if (terminal.columns < narrowest) return undefined;
  let kept = usedColumns(columns, rows);
  while (true) {
    const [heads, cells] = [pick(columns, kept), rows.map((row) => pick(row, kept))];
    const spare = lastSpare(columns, kept);
    const least = spare === undefined ? leastFlexible.atLast : leastFlexible.withSpare;
    const widths = fit(terminal.columns - indent.length, heads, cells, least);
    const room = terminal.columns - indent.length;
    const verdictScope = widths && (spare !== undefined || isWide(heads, cells, widths));
    const under = verdictScope ? undefined : fitUnder(room, heads, cells, spare);
    if (widths !== undefined && (verdictScope || under === undefined))
      return [
        ...alignRows(terminal, heads, cells, widths, indent),
        ...describeOmitted(terminal, columns, rows, kept, indent),
      ];
    if (under !== undefined)
      return [
        ...alignRows(terminal, heads.slice(0, -1), cells, under, indent),
        ...describeOmitted(terminal, columns, rows, kept, indent),
      ];
    if (spare === undefined) return undefined;
    kept = kept.filter((at) => at !== spare);
  }
}

/** Whether the wrapping column has enough room beside the others. */
function isWide(columns: readonly Column[], rows: readonly Row[], widths: readonly number[]): boolean {
  const last = columns.length - 1;
  const width = widths[last] ?? 0;
  if (!columns[last]?.wraps || width >= leastFlexible.withSpare) return true;
  return rows.every((row) => widthOf(escapeLine(row[last]?.text ?? "")) <= width);
}

/** Widths of the other columns when the wrapping column is below them. */
function fitUnder(
  room: number,
  columns: readonly Column[],
  rows: readonly Row[],
  spare: number | undefined,
): readonly number[] | undefined {
  if (spare !== undefined || !columns.at(-1)?.wraps) return undefined;
  return fit(room, columns.slice(0, -1), rows, leastFlexible.atLast);
}

/** Names the columns that did not fit. */
function describeOmitted(
  terminal: Terminal,
  columns: readonly Column[],
  rows: readonly Row[],
  kept: readonly number[],
  indent: string,
): readonly string[] {
  const out = usedColumns(columns, rows).filter((at) => !kept.includes(at));
  if (out.length === 0) return [];
  const names = pick(columns, out).map(({ heading }) => heading.toLowerCase());
  const text = `(no room for ${names.join(", ")}: a wider terminal or --output json shows more)`;
  return wrap(text, terminal.columns - indent.length).map(
    (line) => indent + paint(terminal, piece(line, "quiet")),
  );
}

function usedColumns(columns: readonly Column[], rows: readonly Row[]): readonly number[] {
  return columns
    .keys()
    .filter((at) => rows.some((row) => row[at]?.text))
    .toArray();
}

function lastSpare(columns: readonly Column[], kept: readonly number[]): number | undefined {
  return kept.findLast((at) => columns[at]?.spare);
}

function pick<Item>(items: readonly Item[], indices: readonly number[]): readonly Item[] {
  return indices.flatMap((at) => items[at] ?? []);
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

/** Shortens flexible columns, the last one first; undefined when that is not enough. */
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
  terminal: Terminal,
  columns: readonly Column[],
  rows: readonly Row[],
  widths: readonly number[],
  indent: string,
): readonly string[] {
  const { ellipsis } = signsOf(terminal);
  const line = (cells: readonly Piece[]) =>
    (
      indent +
      cells
        .map((cell, at) => {
          const width = widths[at] ?? 0;
          const text = cut(escapeLine(cell.text), width, ellipsis);
          const painted = paint(terminal, { text, tone: cell.tone });
          return columns[at]?.right ? " ".repeat(width - widthOf(text)) + painted : pad(painted, width);
        })
        .join(gap)
    ).trimEnd();
  const lines = (row: Row): readonly string[] => {
    const visible = row.slice(0, columns.length);
    const last = row.at(-1) ?? piece("");
    // The wrapping text is below the row and has no column.
    if (row.length > columns.length)
      return [line(visible), ...below(terminal, last, indent + " ".repeat(widths[0] ?? 0) + gap)];
    if (!columns.at(-1)?.wraps) return [line(visible)];
    const [first = "", ...more] = wrap(escapeLine(last.text), widths.at(-1) ?? 0);
    const blank = columns.slice(0, -1).map(() => piece(""));
    const withText = (cells: Row, text: string) => line([...cells, { text, tone: last.tone }]);
    return [withText(visible.slice(0, -1), first), ...more.map((text) => withText(blank, text))];
  };
  return [line(columns.map(({ heading }) => piece(heading, "quiet"))), ...rows.flatMap(lines)];
}

function below(terminal: Terminal, { text, tone }: Piece, indent: string): readonly string[] {
  if (text === "") return [];
  const lines = wrap(escapeLine(text), terminal.columns - indent.length);
  return lines.map((line) => indent + paint(terminal, { text: line, tone }));
}

function renderCards(
  terminal: Terminal,
  columns: readonly Column[],
  rows: readonly Row[],
  indent: string,
): readonly string[] {
  const indices = usedColumns(columns, rows);
  const [, ...others] = pick(columns, indices);
  return rows.flatMap((row, at) => {
    const [name = piece(""), ...cells] = pick(row, indices);
    const title = wrap(escapeLine(name.text), terminal.columns - indent.length).map(
      (text) => indent + paint(terminal, { text, tone: name.tone === "plain" ? "strong" : name.tone }),
    );
    const facts = others.map(
      ({ heading }, index): Fact => [heading.toLowerCase(), cells[index] ?? piece("")],
    );
    const card = [...title, ...renderFacts(terminal, facts, `${indent}  `)];
    return at === 0 ? card : ["", ...card];
  });
}

export type Fact = readonly [name: string, value: Piece];

/** Names and values, one per line; empty values are omitted and long ones wrapped. */
export function renderFacts(terminal: Terminal, facts: readonly Fact[], indent = ""): readonly string[] {
  const filled = facts.filter(([, value]) => value.text !== "");
  const width = Math.max(0, ...filled.map(([name]) => widthOf(name)));
  const room = Math.max(20, terminal.columns - indent.length - width - gap.length);
  return filled.flatMap(([name, value]) =>
    wrap(escapeLine(value.text), room).map((text, at) => {
      const head = at === 0 ? paint(terminal, piece(name, "quiet")) : "";
      return `${indent}${pad(head, width)}${gap}${paint(terminal, { text, tone: value.tone })}`;
    }),
  );
}
