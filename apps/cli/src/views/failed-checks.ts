import type { FailedCheck } from "../hub/failed-checks.ts";
import { limits } from "../limits.ts";
import { textOf } from "../narration/beat.ts";
import { tellChecks } from "../narration/tell-checks.ts";
import { escapeLines, shorten } from "../terminal/escape.ts";
import { paint, piece, signsOf } from "../terminal/ink.ts";
import type { Look } from "../terminal/look.ts";
import { wrapIndented } from "../terminal/width.ts";
import { tellingLines } from "./telling-lines.ts";

/** What did not pass, and of what was printed then the lines that say what is wrong. */
export function renderFailedChecks(
  look: Look,
  failed: readonly FailedCheck[],
  indent: string,
): readonly string[] {
  const signs = signsOf(look);
  return failed.flatMap(({ stageId, attemptNumber, check }) => {
    const said = tellChecks([check], true).flatMap((beat) => (beat.kind === "deed" ? beat.said : []));
    const heads = said
      .flatMap((one) => wrapIndented(`${indent}  ${textOf(one, signs)}`, look.columns))
      .map((line) => paint(look, piece(line, "bad")));
    const place = paint(look, piece(`${stageId}, attempt ${attemptNumber}`, "strong"));
    return [`${indent}${place}`, ...heads, ...printed(look, check.run?.output ?? "", `${indent}    `)];
  });
}

function printed(look: Look, output: string, indent: string): readonly string[] {
  const { ellipsis } = signsOf(look);
  const lines = escapeLines(output.trimEnd()).filter((line) => line.trim() !== "");
  const room = Math.min(limits.shownCharacters, look.columns - indent.length);
  const shown = tellingLines(lines);
  const last = shown.reduce((count, { leftOut }) => count + leftOut + 1, 0);
  return [
    ...shown.flatMap(({ text, leftOut }) => [
      ...(leftOut > 0 ? [indent + ellipsis] : []),
      indent + paint(look, piece(shorten(text, room, ellipsis), "quiet")),
    ]),
    ...(last < lines.length ? [indent + ellipsis] : []),
  ];
}
