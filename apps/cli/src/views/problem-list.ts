import { escapeLine } from "../terminal/escape.ts";
import { type Piece, paint, piece } from "../terminal/paint.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { wrap } from "../terminal/width.ts";

/** A problem of a file, as the server's program prints it. */
export interface FileProblem {
  readonly severity: "error" | "warning";
  readonly code: string;
  readonly path: string;
  readonly line?: number;
  readonly column?: number;
  readonly message: string;
  readonly fix: string;
}

/** Code, message, position and fix, with a blank line between problems. Positions stay on one line, so that editors link them. */
export function renderProblems(terminal: Terminal, problems: readonly FileProblem[]): readonly string[] {
  return problems.flatMap((problem, index) => {
    const { severity, code, path, line, column, message, fix } = problem;
    const isError = severity === "error";
    const position = line === undefined ? path : `${path}:${line}:${column}`;
    const word = isError ? message : `warning: ${message}`;
    return [
      ...(index === 0 ? [] : [""]),
      ...renderHanging(terminal, piece(code, isError ? "bad" : "asks"), word),
      `  ${paint(terminal, piece("at", "quiet"))} ${paint(terminal, piece(position, "strong"))}`,
      ...renderHanging(terminal, piece("fix:", "quiet"), fix, "  "),
    ];
  });
}

/** A word, and beside it a text with a hanging indent. */
function renderHanging(terminal: Terminal, word: Piece, text: string, indent = ""): readonly string[] {
  const gap = indent === "" ? "  " : " ";
  const deeper = indent === "" ? "  " : `${indent}${" ".repeat(word.text.length + 1)}`;
  const first = terminal.columns - indent.length - word.text.length - gap.length;
  const [head = "", ...rest] = wrap(escapeLine(text), Math.max(10, first));
  const below = rest.length === 0 ? [] : wrap(rest.join(" "), Math.max(10, terminal.columns - deeper.length));
  return [`${indent}${paint(terminal, word)}${gap}${head}`, ...below.map((line) => deeper + line)];
}
