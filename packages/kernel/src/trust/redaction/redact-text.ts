import { marker } from "./marker.ts";
import type { Automaton } from "./scan/automaton.ts";
import type { Redaction } from "./scan/matches.ts";
import { Scanner } from "./scan/scanner.ts";

export interface RedactedText {
  readonly text: string;
  /** Where something was masked, counted in the text as it came in; in order, without overlap. */
  readonly redactions: readonly Redaction[];
}

export function redactText(automaton: Automaton, text: string): RedactedText {
  const pieces: string[] = [];
  const redactions: Redaction[] = [];
  const scanner = new Scanner(automaton, {
    plain: (piece) => pieces.push(piece),
    redacted: (redaction) => {
      redactions.push(redaction);
      pieces.push(marker(redaction.kind));
    },
  });
  scanner.push(text, true);
  return { text: redactions.length === 0 ? text : pieces.join(""), redactions };
}
