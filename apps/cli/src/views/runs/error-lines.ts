import { limits } from "../../limits.ts";

/** A line of output, with the number of lines omitted before it. */
export interface ErrorLine {
  readonly text: string;
  readonly leftOut: number;
}

/** A failed test point of the Test Anything Protocol; `todo` and `skip` are no failures. */
const failedPoint = /^\s*not ok\b(?!.*#\s*(?:todo|skip)\b)/i;
/** Words and signs of an error, anywhere in a line. */
const errorWords =
  /\b(?:error|errors|failed|failure|failures|fails|failing|assert\w*|exception|traceback|panic\w*|expected|actual|received)\b|\w(?:Error|Exception)\b|^\s*(?:✗|✖|×|FAIL\b|E\s{2,}|--- FAIL)|^\s*#?\s*fail[: ]\s*[1-9]/i;
/** Lines that report zero errors. */
const nothingWrong =
  /\b(?:0|no) (?:error|failure|failed|failing)s?\b|\b(?:errors?|failed|failures?|fail)[:= ]+0\b/i;

/**
 * The lines of a command's output that describe its failure, in their order, up to a limit: failed test points with their
 * details, then other lines with errors, then the first line and the last ones.
 */
export function errorLines(lines: readonly string[]): readonly ErrorLine[] {
  const maxLines = limits.outputLines;
  const chosen = new Set<number>();
  const choose = (indices: readonly number[]) => {
    for (const index of indices) if (chosen.size < maxLines) chosen.add(index);
  };
  if (lines.length <= maxLines) choose([...lines.keys()]);
  choose(failedBlocks(lines));
  choose([...lines.keys()].filter((at) => isError(lines[at] ?? "")));
  choose([...lines.keys()].slice(0, 1));
  choose([...lines.keys()].toReversed());
  const indices = [...chosen].toSorted((a, b) => a - b);
  return indices.map((at, index) => ({
    text: lines[at] ?? "",
    leftOut: at - (indices[index - 1] ?? -1) - 1,
  }));
}

function isError(line: string): boolean {
  return errorWords.test(line) && !nothingWrong.test(line) && !/^\s*ok\b/.test(line);
}

/** Failed test points, the error lines of their blocks, and the rest of the first block. */
function failedBlocks(lines: readonly string[]): readonly number[] {
  const heads = [...lines.keys()].filter((at) => failedPoint.test(lines[at] ?? ""));
  const failed = heads.slice(0, Math.ceil(limits.outputLines / 2));
  const messages = failed.flatMap((head) => blockOf(lines, head).filter((at) => isError(lines[at] ?? "")));
  const [first] = failed;
  const rest = first === undefined ? [] : blockOf(lines, first).filter((at) => !isFrame(lines[at] ?? ""));
  return [...failed, ...messages, ...rest];
}

/** Delimiters and metadata of a block. */
function isFrame(line: string): boolean {
  return /^\s*(?:---|\.\.\.|duration_ms:.*|type:.*)$/.test(line);
}

function blockOf(lines: readonly string[], head: number): readonly number[] {
  const indent = indentOf(lines[head] ?? "");
  const rest = lines.slice(head + 1);
  const end = rest.findIndex((line) => indentOf(line) <= indent);
  return rest.slice(0, end < 0 ? undefined : end).map((_, at) => head + 1 + at);
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
