import { escapeLine } from "../terminal/escape.ts";
import { type Piece, paint, piece } from "../terminal/ink.ts";
import type { Look } from "../terminal/look.ts";
import { wrap } from "../terminal/width.ts";

/** What is wrong with a file, as the server's program tells it. */
export interface FileProblem {
  readonly severity: "error" | "warning";
  readonly code: string;
  readonly path: string;
  readonly line?: number;
  readonly column?: number;
  readonly message: string;
  readonly fix: string;
}

/** Code and message, place, way out; a blank line between two. Places stay whole: they are there to be clicked on. */
export function renderProblems(look: Look, problems: readonly FileProblem[]): readonly string[] {
  return problems.flatMap((problem, index) => {
    const { severity, code, path, line, column, message, fix } = problem;
    const isError = severity === "error";
    const place = line === undefined ? path : `${path}:${line}:${column}`;
    const word = isError ? message : `warning: ${message}`;
    return [
      ...(index === 0 ? [] : [""]),
      ...hang(look, piece(code, isError ? "bad" : "asks"), word),
      `  ${paint(look, piece("at", "quiet"))} ${paint(look, piece(place, "strong"))}`,
      ...hang(look, piece("fix:", "quiet"), fix, "  "),
    ];
  });
}

/** A word, and a text beside it that goes on below itself where the line is too short. */
function hang(look: Look, word: Piece, text: string, indent = ""): readonly string[] {
  const gap = indent === "" ? "  " : " ";
  const deeper = indent === "" ? "  " : `${indent}${" ".repeat(word.text.length + 1)}`;
  const first = look.columns - indent.length - word.text.length - gap.length;
  const [head = "", ...rest] = wrap(escapeLine(text), Math.max(10, first));
  const below = rest.length === 0 ? [] : wrap(rest.join(" "), Math.max(10, look.columns - deeper.length));
  return [`${indent}${paint(look, word)}${gap}${head}`, ...below.map((line) => deeper + line)];
}
