import { limits } from "../../limits.ts";
import type { FailedCheck } from "../../queries/failed-checks.ts";
import { describeChecks } from "../../story/describe-checks.ts";
import { textOf } from "../../story/story-line.ts";
import { escapeLines, shorten } from "../../terminal/escape.ts";
import { paint, piece, signsOf } from "../../terminal/paint.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { wrapIndented } from "../../terminal/width.ts";
import { errorLines } from "./error-lines.ts";

/** Failed checks, with the lines of their output that describe the failure. */
export function renderFailedChecks(
  terminal: Terminal,
  failed: readonly FailedCheck[],
  indent: string,
): readonly string[] {
  const signs = signsOf(terminal);
  return failed.flatMap(({ stageId, attemptNumber, check }) => {
    const described = describeChecks([check], true).flatMap((storyLine) =>
      storyLine.kind === "event" ? storyLine.statements : [],
    );
    const heads = described
      .flatMap((one) => wrapIndented(`${indent}  ${textOf(one, signs)}`, terminal.columns))
      .map((line) => paint(terminal, piece(line, "bad")));
    const heading = paint(terminal, piece(`${stageId}, attempt ${attemptNumber}`, "strong"));
    return [`${indent}${heading}`, ...heads, ...printed(terminal, check.run?.output ?? "", `${indent}    `)];
  });
}

function printed(terminal: Terminal, output: string, indent: string): readonly string[] {
  const { ellipsis } = signsOf(terminal);
  const lines = escapeLines(output.trimEnd()).filter((line) => line.trim() !== "");
  const room = Math.min(limits.lineCharacters, terminal.columns - indent.length);
  const listed = errorLines(lines);
  const last = listed.reduce((count, { leftOut }) => count + leftOut + 1, 0);
  return [
    ...listed.flatMap(({ text, leftOut }) => [
      ...(leftOut > 0 ? [indent + ellipsis] : []),
      indent + paint(terminal, piece(shorten(text, room, ellipsis), "quiet")),
    ]),
    ...(last < lines.length ? [indent + ellipsis] : []),
  ];
}
