import type { FailedCheck } from "../hub/failed-checks.ts";
import { limits } from "../limits.ts";
import { textOf } from "../narration/beat.ts";
import { tellChecks } from "../narration/tell-checks.ts";
import { escapeLines, shorten } from "../terminal/escape.ts";
import { paint, piece, signsOf } from "../terminal/ink.ts";
import type { Look } from "../terminal/look.ts";

/** What did not pass, and the end of what was printed then: that is where programs say what is wrong. */
export function renderFailedChecks(
  look: Look,
  failed: readonly FailedCheck[],
  indent: string,
): readonly string[] {
  const signs = signsOf(look);
  return failed.flatMap(({ stageId, attemptNumber, check }) => {
    const said = tellChecks([check], true).flatMap((beat) => (beat.kind === "deed" ? beat.said : []));
    const heads = said.map((one) => paint(look, piece(`${indent}  ${textOf(one, signs)}`, "bad")));
    const place = paint(look, piece(`${stageId}, attempt ${attemptNumber}`, "strong"));
    return [`${indent}${place}`, ...heads, ...lastLines(look, check.run?.output ?? "", `${indent}    `)];
  });
}

function lastLines(look: Look, output: string, indent: string): readonly string[] {
  const { ellipsis } = signsOf(look);
  const lines = escapeLines(output.trimEnd()).filter((line) => line.trim() !== "");
  const shown = lines.slice(-limits.shownOutputLines);
  const room = Math.min(limits.shownCharacters, look.columns - indent.length);
  return [
    ...(lines.length > shown.length ? [indent + ellipsis] : []),
    ...shown.map((line) => indent + paint(look, piece(shorten(line, room, ellipsis), "quiet"))),
  ];
}
