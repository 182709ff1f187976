import { styleText } from "node:util";
import { escapeLine } from "./escape.ts";
import type { Terminal } from "./terminal.ts";

/** The meaning of a piece of text, which determines its colour. */
export type Tone = "plain" | "strong" | "quiet" | "good" | "bad" | "busy" | "asks";

/** A piece of text with its tone. It may be untrusted: `paint` escapes it. */
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

/** Escapes control characters and applies the tone. All untrusted text passes through here. */
export function paint(terminal: Terminal, { text, tone }: Piece): string {
  const escaped = escapeLine(text);
  return !terminal.colours || tone === "plain" || escaped === ""
    ? escaped
    : styleText(formats[tone], escaped, { validateStream: false });
}

/** Signs have an ASCII form for locales without UTF-8. */
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

const unicodeSigns: Signs = {
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
const asciiSigns: Signs = {
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

export function signsOf(terminal: Terminal): Signs {
  return terminal.unicode ? unicodeSigns : asciiSigns;
}
