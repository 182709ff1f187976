import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { limits } from "../limits.ts";
import { escapeLine, shorten } from "../terminal/escape.ts";
import { paint, piece, type Signs, signsOf, type Tone } from "../terminal/paint.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { pad, widthOf, wrap } from "../terminal/width.ts";

/** One item of the story: a heading, or an event with its statements. */
export type StoryLine =
  | { readonly kind: "heading"; readonly title: string; readonly note: string }
  | {
      readonly kind: "event";
      readonly label: string;
      readonly tone: Tone;
      readonly statements: readonly Statement[];
    };

export interface Statement {
  readonly mark?: "done" | "failed" | "left";
  readonly text: string;
  /** The result, printed after an arrow. */
  readonly leadsTo?: string;
}

/** A story line with its stage and time. */
export interface TimedLine {
  readonly storyLine: StoryLine;
  /** Empty for the run as a whole. */
  readonly stageId: string;
  readonly at: Timestamp | undefined;
}

export const labelWidth = 8;
const indent = "  ";
const gap = "  ";

const tones = { done: "good", failed: "bad", left: "quiet" } as const;

export function heading(title: string, note = ""): StoryLine {
  return { kind: "heading", title, note };
}

export function eventLine(
  label: string,
  statements: string | readonly Statement[],
  tone: Tone = "plain",
): StoryLine {
  return {
    kind: "event",
    label,
    tone,
    statements: typeof statements === "string" ? [{ text: statements }] : statements,
  };
}

/** Labels are aligned; long statements are wrapped below their beginning. */
export function renderStoryLine(terminal: Terminal, storyLine: StoryLine): readonly string[] {
  if (storyLine.kind === "heading") return renderHeading(terminal, storyLine.title, storyLine.note);
  const signs = signsOf(terminal);
  const width = Math.max(20, terminal.columns - indent.length - labelWidth - gap.length);
  const lines = storyLine.statements.flatMap((statements) => {
    const { mark } = statements;
    const sign = mark === undefined ? "" : `${signs[mark]} `;
    const [first = "", ...more] = wrap(escapeLine(textOf(statements, signs)), width - widthOf(sign));
    const tone = mark === "left" ? "quiet" : storyLine.tone;
    const painted = (line: string) => paint(terminal, piece(line, tone));
    return [
      (mark === undefined ? "" : paint(terminal, piece(sign, tones[mark]))) + painted(first),
      ...more.map((line) => " ".repeat(widthOf(sign)) + painted(line)),
    ];
  });
  return lines.map((line, at) => {
    const label = at === 0 ? paint(terminal, piece(storyLine.label, "quiet")) : "";
    return `${indent}${pad(label, labelWidth)}${gap}${line}`.trimEnd();
  });
}

export function textOf({ text, leadsTo }: Statement, { arrow, ellipsis }: Signs): string {
  const whole = leadsTo === undefined ? text : `${text} ${arrow} ${leadsTo}`;
  return shorten(whole, limits.lineCharacters, ellipsis);
}

/** One line if it fits, else the note below the title. */
function renderHeading(terminal: Terminal, title: string, note: string): readonly string[] {
  const painted = paint(terminal, piece(title, "strong"));
  const quiet = (text: string) => paint(terminal, piece(text, "quiet"));
  if (note === "") return ["", painted];
  const [text, width] = [escapeLine(note), widthOf(title) + gap.length];
  if (width + widthOf(text) <= terminal.columns) return ["", `${painted}${gap}${quiet(text)}`];
  return ["", painted, ...wrap(text, terminal.columns - indent.length).map((line) => indent + quiet(line))];
}

/** Adds a heading whenever the stage changes, because stages run side by side. */
export class StageHeadings {
  #stageId = "";

  withHeading({ storyLine, stageId }: TimedLine): readonly StoryLine[] {
    const isSame = stageId === "" || stageId === this.#stageId;
    if (stageId !== "") this.#stageId = stageId;
    return isSame || storyLine.kind === "heading" ? [storyLine] : [heading(stageId), storyLine];
  }
}
