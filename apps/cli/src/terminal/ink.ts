import { styleText } from "node:util";
import { escapeLine } from "./escape.ts";
import type { Look } from "./look.ts";

/** What a piece of text is, rather than what colour it has. */
export type Tone = "plain" | "strong" | "quiet" | "good" | "bad" | "busy" | "asks";

/** A piece of text with its tone. It may come from anywhere: it is made harmless when it is painted. */
export interface Piece {
  readonly text: string;
  readonly tone: Tone;
}

const formats = {
  strong: "bold",
  quiet: "dim",
  good: "green",
  bad: "red",
  busy: "cyan",
  asks: "yellow",
} as const;

export function piece(text: string, tone: Tone = "plain"): Piece {
  return { text, tone };
}

/** The only way to a terminal: control characters are written out, then the tone is given. */
export function paint(look: Look, { text, tone }: Piece): string {
  const harmless = escapeLine(text);
  return !look.colours || tone === "plain" || harmless === ""
    ? harmless
    : styleText(formats[tone], harmless, { validateStream: false });
}

/** Signs that a locale without UTF-8 cannot show have a plain form. */
export interface Signs {
  readonly done: string;
  readonly failed: string;
  readonly busy: string;
  readonly open: string;
  readonly left: string;
  readonly asks: string;
  readonly arrow: string;
  readonly ellipsis: string;
  readonly rule: string;
}

const drawn: Signs = {
  done: "✓",
  failed: "✗",
  busy: "●",
  open: "○",
  left: "–",
  asks: "!",
  arrow: "→",
  ellipsis: "…",
  rule: "─",
};
const typed: Signs = {
  done: "+",
  failed: "x",
  busy: "*",
  open: ".",
  left: "-",
  asks: "!",
  arrow: "->",
  ellipsis: "..",
  rule: "-",
};

export function signsOf(look: Look): Signs {
  return look.unicode ? drawn : typed;
}
