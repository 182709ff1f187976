import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { limits } from "../limits.ts";
import { escapeLine, shorten } from "../terminal/escape.ts";
import { paint, piece, type Signs, signsOf, type Tone } from "../terminal/ink.ts";
import type { Look } from "../terminal/look.ts";
import { pad, widthOf, wrap } from "../terminal/width.ts";

/** One thing that is told: a heading, or what somebody did in so many lines. */
export type Beat =
  | { readonly kind: "heading"; readonly title: string; readonly note: string }
  | { readonly kind: "deed"; readonly label: string; readonly tone: Tone; readonly said: readonly Said[] };

export interface Said {
  readonly mark?: "done" | "failed" | "left";
  readonly text: string;
  /** What it led to, after an arrow. */
  readonly leadsTo?: string;
}

/** A beat of a pipeline: of which stage, and when. */
export interface Told {
  readonly beat: Beat;
  /** Empty for the pipeline as a whole. */
  readonly stageId: string;
  readonly at: Timestamp | undefined;
}

export const labelWidth = 8;
const indent = "  ";
const gap = "  ";

const tones = { done: "good", failed: "bad", left: "quiet" } as const;

export function heading(title: string, note = ""): Beat {
  return { kind: "heading", title, note };
}

export function deed(label: string, said: string | readonly Said[], tone: Tone = "plain"): Beat {
  return { kind: "deed", label, tone, said: typeof said === "string" ? [{ text: said }] : said };
}

/** Labels stand below each other; what is long goes on below its beginning. */
export function renderBeat(look: Look, beat: Beat): readonly string[] {
  if (beat.kind === "heading") return renderHeading(look, beat.title, beat.note);
  const signs = signsOf(look);
  const room = Math.max(20, look.columns - indent.length - labelWidth - gap.length);
  const lines = beat.said.flatMap((said) => {
    const { mark } = said;
    const sign = mark === undefined ? "" : `${signs[mark]} `;
    const [first = "", ...more] = wrap(escapeLine(textOf(said, signs)), room - widthOf(sign));
    const tone = mark === "left" ? "quiet" : beat.tone;
    const painted = (line: string) => paint(look, piece(line, tone));
    return [
      (mark === undefined ? "" : paint(look, piece(sign, tones[mark]))) + painted(first),
      ...more.map((line) => " ".repeat(widthOf(sign)) + painted(line)),
    ];
  });
  return lines.map((line, at) => {
    const label = at === 0 ? paint(look, piece(beat.label, "quiet")) : "";
    return `${indent}${pad(label, labelWidth)}${gap}${line}`.trimEnd();
  });
}

export function textOf({ text, leadsTo }: Said, { arrow, ellipsis }: Signs): string {
  const whole = leadsTo === undefined ? text : `${text} ${arrow} ${leadsTo}`;
  return shorten(whole, limits.shownCharacters, ellipsis);
}

/** In one line where there is room, else the note below the title. */
function renderHeading(look: Look, title: string, note: string): readonly string[] {
  const painted = paint(look, piece(title, "strong"));
  const quiet = (text: string) => paint(look, piece(text, "quiet"));
  if (note === "") return ["", painted];
  const [text, width] = [escapeLine(note), widthOf(title) + gap.length];
  if (width + widthOf(text) <= look.columns) return ["", `${painted}${gap}${quiet(text)}`];
  return ["", painted, ...wrap(text, look.columns - indent.length).map((line) => indent + quiet(line))];
}
