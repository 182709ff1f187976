/** The anchor that GitHub gives a heading. */
export function headingAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replace(/\s/g, "-");
}

/** A table whose columns are as wide as their cells, all but the last, so that it reads as text too. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, ...rows.map((row) => row.map(cell))];
  const widths = head.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const isLast = (column: number) => column === head.length - 1;
  const format = (line: readonly string[]) =>
    `| ${line.map((text, column) => (isLast(column) ? text : text.padEnd(widths[column] ?? 0))).join(" | ")} |`;
  const rule = head.map((text, column) => "-".repeat(isLast(column) ? text.length : (widths[column] ?? 0)));
  const [first = [], ...rest] = lines;
  return [first, rule, ...rest].map(format).join("\n");
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replace(/\s*\n\s*/g, " ");
}

/** Breaks the text of a list item into lines, indented so that they stay in the item. */
export function wrap(text: string, width = 110): string {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + 1 + word.length <= width) lines.splice(-1, 1, `${line} ${word}`);
    else lines.push(line === undefined ? word : `  ${word}`);
  }
  return lines.join("\n");
}
