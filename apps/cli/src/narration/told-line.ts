import { escapeLine } from "../terminal/escape.ts";
import { paint, piece, signsOf } from "../terminal/ink.ts";
import type { Look } from "../terminal/look.ts";
import { instant } from "../terminal/time.ts";
import { pad } from "../terminal/width.ts";
import { labelWidth, type Told, textOf } from "./beat.ts";

/** Stages with longer names push what follows to the right. */
const widestStage = 24;

/** The width that stages take in lines below each other. */
export function stageWidth(stageIds: readonly string[]): number {
  return Math.min(widestStage, Math.max(whole.length, ...stageIds.map((id) => id.length)));
}

const whole = "run";

/** What is told as one plain line: when, which stage, what was done. A heading that says nothing more has none. */
export function renderLine(look: Look, { beat, stageId, at }: Told, width: number): string | undefined {
  const signs = signsOf(look);
  const when = paint(look, piece(at === undefined ? "" : instant(at), "quiet"));
  const where = pad(escapeLine(stageId || whole), width);
  if (beat.kind === "heading")
    return beat.note === "" ? undefined : `${when}  ${where}  ${escapeLine(beat.note)}`;
  const said = beat.said.map(
    (one) => (one.mark === undefined ? "" : `${signs[one.mark]} `) + textOf(one, signs),
  );
  const told = paint(look, piece(said.join("; "), beat.tone));
  return `${when}  ${where}  ${pad(beat.label, labelWidth)}  ${told}`;
}
