import { escapeLine } from "../terminal/escape.ts";
import { instant } from "../terminal/format.ts";
import { paint, piece, signsOf } from "../terminal/paint.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { pad } from "../terminal/width.ts";
import { labelWidth, type TimedLine, textOf } from "./story-line.ts";

/** Longer stage names push the following columns to the right. */
const widestStage = 24;

/** The width of the stage column. */
export function stageWidth(stageIds: readonly string[]): number {
  return Math.min(widestStage, Math.max(whole.length, ...stageIds.map((id) => id.length)));
}

const whole = "run";

/** A story line for a pipe: time, stage, event. A heading without a note has no line. */
export function renderPlainLine(
  terminal: Terminal,
  { storyLine, stageId, at }: TimedLine,
  width: number,
): string | undefined {
  const signs = signsOf(terminal);
  const when = paint(terminal, piece(at === undefined ? "" : instant(at), "quiet"));
  const where = pad(escapeLine(stageId || whole), width);
  if (storyLine.kind === "heading")
    return storyLine.note === "" ? undefined : `${when}  ${where}  ${escapeLine(storyLine.note)}`;
  const texts = storyLine.statements.map(
    (one) => (one.mark === undefined ? "" : `${signs[one.mark]} `) + textOf(one, signs),
  );
  const text = paint(terminal, piece(texts.join("; "), storyLine.tone));
  return `${when}  ${where}  ${pad(storyLine.label, labelWidth)}  ${text}`;
}
