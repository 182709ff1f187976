import { failClosed, RedactionFailure } from "./failure.ts";
import { marker } from "./marker.ts";
import type { Automaton } from "./scan/automaton.ts";
import type { Ending, Sink, Undecided } from "./scan/scanner.ts";
import { VisibleScanner } from "./scan/visible-scanner.ts";

export interface StreamOutput {
  /** What can be given out by now. */
  readonly text: string;
  /** Whether it has a marker in it. */
  readonly masked: boolean;
}

/**
 * Redacts a text that comes in chunks. What comes out is together the same as for the whole text at once. A secret that
 * falls on a border is held back until it is decided: at most 1024 characters and an anchor, or as much as the longest
 * known value in its longest encoding. An armoured key of many lines is masked as it comes, without being held.
 */
export interface RedactionStream {
  push(chunk: string): StreamOutput;
  /** Gives out what was held back. The stream cannot be used after it. */
  end(): StreamOutput;
  /**
   * As `end`, of a text that would have gone on: what may be the beginning of a secret is masked as `unheard-end`. A word
   * without anything of a secret's about it is given out, although it may have become the name in an address of mail.
   */
  cut(): StreamOutput;
  /** How many characters are held back. */
  readonly heldBack: number;
  /** What another stream has to begin with, to go on as this one would. Undefined when it needs nothing. */
  readonly undecided: Undecided | undefined;
}

export function createStream(automaton: Automaton, from?: Undecided): RedactionStream {
  let output = { text: "", masked: false };
  const sink: Sink = {
    plain: (text) => {
      output.text += text;
    },
    redacted: ({ kind }) => {
      output.text += marker(kind);
      output.masked = true;
    },
  };
  const scanner = guardScanner(automaton, sink, from);
  const take = () => {
    const taken = output;
    output = { text: "", masked: false };
    return taken;
  };
  const push = (chunk: string, ending: Ending) => {
    scanner.push(chunk, ending);
    return take();
  };
  return {
    push: (chunk) => push(chunk, "open"),
    end: () => push("", "whole"),
    cut: () => push("", "cut"),
    get heldBack() {
      return scanner.heldBack();
    },
    get undecided() {
      return scanner.undecided();
    },
  };
}

export interface GuardedScanner {
  push(chunk: string, ending: Ending): void;
  heldBack(): number;
  undecided(): Undecided | undefined;
}

/** After a failure nobody knows what was held back, so nothing more comes out. */
export function guardScanner(automaton: Automaton, sink: Sink, from?: Undecided): GuardedScanner {
  const scanner = new VisibleScanner(automaton, sink, from);
  let isUsable = true;
  return {
    push: (chunk, ending) => {
      if (!isUsable) throw new RedactionFailure("BATON-REDACTION-104");
      isUsable = false;
      failClosed(() => {
        scanner.push(chunk, ending);
        if (ending !== "open") scanner.finish(sink);
      });
      isUsable = ending === "open";
    },
    heldBack: () => scanner.heldBack,
    undecided: () => scanner.undecided,
  };
}
