import { marker } from "./marker.ts";
import { type Automaton, asciiCount, type Hit } from "./scan/automaton.ts";
import { hasInvisible, isInvisible } from "./scan/invisible.ts";
import type { Redaction } from "./scan/matches.ts";
import { Scanner, type Sink } from "./scan/scanner.ts";
import { VisibleScanner } from "./scan/visible-scanner.ts";

export interface RedactedText {
  readonly text: string;
  /** Masked ranges of the input text, in order and without overlap. */
  readonly redactions: readonly Redaction[];
}

export function redactText(automaton: Automaton, text: string): RedactedText {
  if (!meetsAnchor(automaton, text)) return { text, redactions: [] };
  const pieces: string[] = [];
  const redactions: Redaction[] = [];
  const sink: Sink = {
    plain: (piece) => void pieces.push(piece),
    redacted: (redaction) => {
      redactions.push(redaction);
      pieces.push(marker(redaction.kind));
    },
  };
  if (hasInvisible(text)) {
    const scanner = new VisibleScanner(automaton, sink);
    scanner.push(text, "whole");
    scanner.finish(sink);
  } else {
    new Scanner(automaton, sink).push(text, "whole");
  }
  return { text: redactions.length === 0 ? text : pieces.join(""), redactions };
}

/** Most texts contain no relevant anchor and need no scan. */
export function meetsAnchor(automaton: Automaton, text: string): boolean {
  const { table, columns, firstAccepting } = automaton;
  let state = automaton.initial;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isSpecial(code) && (code !== 0x0d || text.charCodeAt(at + 1) !== 0x0a)) return true;
    state = table[state + (code < asciiCount ? (columns[code] as number) : 0)] as number;
    if (state >= firstAccepting && mayBegin(automaton, state, text, at + 1)) return true;
  }
  return false;
}

/** Characters that may be hidden inside an anchor. */
function isSpecial(code: number): boolean {
  return code === 0x0d || isInvisible(code);
}

function mayBegin({ hits, width }: Automaton, state: number, text: string, end: number): boolean {
  for (const { detector, length } of hits[state / width] as readonly Hit[]) {
    if (detector.mayBegin === undefined || detector.mayBegin(text, end - length, end)) return true;
  }
  return false;
}

/**
 * Writes a text to bytes and searches for anchors in one pass. False when there is an anchor or a non-ASCII character: then
 * the written bytes are meaningless.
 */
export function copyPlain(automaton: Automaton, text: string, target: Uint8Array, start: number): boolean {
  const { table, columns, firstAccepting } = automaton;
  const { length } = text;
  let state = automaton.initial;
  for (let at = 0; at < length; at++) {
    const code = text.charCodeAt(at);
    if (code >= asciiCount || isSpecial(code)) return false;
    target[start + at] = code;
    state = table[state + (columns[code] as number)] as number;
    if (state >= firstAccepting && mayBegin(automaton, state, text, at + 1)) return false;
  }
  return true;
}
