import { marker } from "./marker.ts";
import type { Automaton } from "./scan/automaton.ts";
import type { Ending, Sink, Undecided } from "./scan/scanner.ts";
import { guardScanner } from "./stream.ts";

/** A line of a terminal, as in SANDBOX_PULSE (O §3). */
export interface MaskedLine {
  readonly line: string;
  /** Whether part of it was masked. */
  readonly masked: boolean;
}

/**
 * Redacts the output of a terminal line by line. A line is emitted when it ends, unless it may begin a secret of several
 * lines; those become one line.
 */
export interface LineMasker {
  push(chunk: string): readonly MaskedLine[];
  /** The last line, if it is unterminated. */
  end(): readonly MaskedLine[];
  /** Like `end`, for output that was cut off: a possible beginning of a secret is masked. */
  cut(): readonly MaskedLine[];
  /** The state from which another masker continues; undefined when none is needed. */
  readonly undecided: UndecidedLine | undefined;
}

/** The decided and the undecided part of an unfinished line. */
export interface UndecidedLine extends MaskedLine {
  readonly rest: Undecided | undefined;
}

/** Longer lines are split, so that a program without line breaks cannot fill the memory. */
export const maxLineLength = 65_536;

export function createLineMasker(automaton: Automaton, from?: UndecidedLine): LineMasker {
  let lines: MaskedLine[] = [];
  let [line, masked, isBegun] = [from?.line ?? "", from?.masked ?? false, (from?.line ?? "") !== ""];
  const finish = () => {
    lines.push({ line: line.endsWith("\r") ? line.slice(0, -1) : line, masked });
    [line, masked, isBegun] = ["", false, false];
  };
  const extend = (piece: string) => {
    isBegun ||= piece !== "";
    let rest = piece;
    while (line.length + rest.length > maxLineLength) {
      const full = line + rest.slice(0, maxLineLength - line.length);
      const end = endsInHalfPair(full) ? full.length - 1 : full.length;
      rest = full.slice(end) + rest.slice(maxLineLength - line.length);
      line = full.slice(0, end);
      finish();
    }
    isBegun ||= rest !== "";
    line += rest;
  };
  const sink: Sink = {
    plain: (text) => {
      const [first = "", ...others] = text.split("\n");
      extend(first);
      for (const other of others) {
        finish();
        extend(other);
      }
    },
    redacted: ({ kind }) => {
      if (line.length + marker(kind).length > maxLineLength) finish();
      line += marker(kind);
      masked = true;
      isBegun = true;
    },
  };
  const scanner = guardScanner(automaton, sink, from?.rest);
  const take = () => {
    const taken = lines;
    lines = [];
    return taken;
  };
  const end = (ending: Ending) => {
    scanner.push("", ending);
    if (isBegun) finish();
    return take();
  };
  return {
    push: (chunk) => {
      scanner.push(chunk, "open");
      return take();
    },
    end: () => end("whole"),
    cut: () => end("cut"),
    get undecided() {
      const rest = scanner.undecided();
      return rest || isBegun ? { line, masked, rest } : undefined;
    },
  };
}

/** Whether the text ends within a surrogate pair. */
function endsInHalfPair(text: string): boolean {
  const code = text.charCodeAt(text.length - 1);
  return code >= 0xd800 && code < 0xdc00;
}
