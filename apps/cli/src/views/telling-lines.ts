import { limits } from "../limits.ts";

/** Lines of what a program printed, with the number of those that were left out before each. */
export interface TellingLine {
  readonly text: string;
  readonly leftOut: number;
}

/** A point of the Test Anything Protocol that did not pass; what is left to do or is left out is no failure. */
const failedPoint = /^\s*not ok\b(?!.*#\s*(?:todo|skip)\b)/i;
/** What programs say of something that went wrong, in the middle of a line too. */
const telling =
  /\b(?:error|errors|failed|failure|failures|fails|failing|assert\w*|exception|traceback|panic\w*|expected|actual|received)\b|\w(?:Error|Exception)\b|^\s*(?:✗|✖|×|FAIL\b|E\s{2,}|--- FAIL)|^\s*#?\s*fail[: ]\s*[1-9]/i;
/** Those that say that nothing did. */
const nothingWrong =
  /\b(?:0|no) (?:error|failure|failed|failing)s?\b|\b(?:errors?|failed|failures?|fail)[:= ]+0\b/i;

/**
 * Of what a command printed, the lines that tell of the failure, in their order: points that did not pass with what
 * belongs to them, then other lines that speak of errors; where there is room, the first line and the last ones. At most
 * so many.
 */
export function tellingLines(lines: readonly string[]): readonly TellingLine[] {
  const most = limits.shownOutputLines;
  const chosen = new Set<number>();
  const choose = (places: readonly number[]) => {
    for (const place of places) if (chosen.size < most) chosen.add(place);
  };
  if (lines.length <= most) choose([...lines.keys()]);
  choose(failedBlocks(lines));
  choose([...lines.keys()].filter((at) => isTelling(lines[at] ?? "")));
  choose([...lines.keys()].slice(0, 1));
  choose([...lines.keys()].toReversed());
  const places = [...chosen].toSorted((a, b) => a - b);
  return places.map((at, place) => ({
    text: lines[at] ?? "",
    leftOut: at - (places[place - 1] ?? -1) - 1,
  }));
}

function isTelling(line: string): boolean {
  return telling.test(line) && !nothingWrong.test(line) && !/^\s*ok\b/.test(line);
}

/** Points that did not pass, what their blocks below them say of it, and the rest of the first block. */
function failedBlocks(lines: readonly string[]): readonly number[] {
  const heads = [...lines.keys()].filter((at) => failedPoint.test(lines[at] ?? ""));
  const told = heads.slice(0, Math.ceil(limits.shownOutputLines / 2));
  const said = told.flatMap((head) => blockOf(lines, head).filter((at) => isTelling(lines[at] ?? "")));
  const [first] = told;
  const rest = first === undefined ? [] : blockOf(lines, first).filter((at) => !isFrame(lines[at] ?? ""));
  return [...told, ...said, ...rest];
}

/** What stands around the words of a point, and how long it took. */
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
