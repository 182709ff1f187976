import { failClosed, RedactionFailure } from "./failure.ts";
import { marker } from "./marker.ts";
import type { Automaton } from "./scan/automaton.ts";
import type { Ending, Sink, Undecided } from "./scan/scanner.ts";
import { VisibleScanner } from "./scan/visible-scanner.ts";

interface StreamOutput {
  /** The text that is decided. */
  readonly text: string;
  /** Whether it contains a marker. */
  readonly masked: boolean;
}

/**
 * Redacts a text in chunks, with the same result as for the whole text. A possible secret at the end of a chunk is held
 * back until it is decided: at most 1024 characters and an anchor, or the longest known value in its longest encoding. An
 * armoured key of many lines is masked as it arrives, without being held.
 */
export interface RedactionStream {
  push(chunk: string): StreamOutput;
  /** Emits what was held back and ends the stream. */
  end(): StreamOutput;
  /**
   * Like `end`, for a text that was cut off: a possible beginning of a secret is masked. An ordinary word is emitted,
   * although it could have become an email address.
   */
  cut(): StreamOutput;
  /** How many characters are held back. */
  readonly heldBack: number;
  /** The state from which another stream continues; undefined when none is needed. */
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

interface GuardedScanner {
  push(chunk: string, ending: Ending): void;
  heldBack(): number;
  undecided(): Undecided | undefined;
}

/** After a failure the held text is unknown, so nothing more is emitted. */
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
