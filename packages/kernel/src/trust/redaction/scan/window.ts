import { RedactionFailure } from "../failure.ts";
import { classesOf } from "./char-class.ts";

/** Characters a detector sees after its anchor. Bounds what a stream holds back. */
export const lookahead = 1024;

/** Characters a detector sees before its anchor. A stream keeps as much of what it has emitted. */
export const lookbehind = 128;

/** No character: outside the text or the window. */
export const none = -1;

/**
 * The part of the text that a detector sees. Its bounds depend on the text alone, not on the chunks: reading beyond the
 * text that has arrived sets `ranOut`, and the detector runs again when more arrives. So detectors need no knowledge of
 * streams, and decide the same however the text was split.
 */
export class Window {
  text = "";
  /** Whether the text is complete. */
  complete = false;
  ranOut = false;
  /** Characters read; tests check that it is proportional to the text. */
  steps = 0;
  /** The limit of characters read: keeps redaction linear in the text. */
  allowedSteps = Number.POSITIVE_INFINITY;
  #low = 0;
  #high = 0;
  #runs = new Map<number, { from: number; to: number }>();

  /** Whether invisible characters were removed before a character: a word may begin there. */
  isAfterGap: (at: number) => boolean = () => false;

  load(text: string, complete: boolean, isAfterGap: (at: number) => boolean = () => false): void {
    this.text = text;
    this.isAfterGap = isAfterGap;
    this.complete = complete;
    this.#runs.clear();
  }

  /** Moves the window to an anchor. */
  aim(anchorStart: number, anchorEnd: number): void {
    this.ranOut = false;
    this.#low = anchorStart - lookbehind;
    this.#high = anchorEnd + lookahead;
  }

  code(at: number): number {
    this.#count(1);
    if (at < 0 || at < this.#low || at >= this.#high) return none;
    if (at < this.text.length) return this.text.charCodeAt(at);
    this.ranOut ||= !this.complete;
    return none;
  }

  is(at: number, classes: number): boolean {
    return (classesOf(this.code(at)) & classes) !== 0;
  }

  /**
   * The end of a run of characters that begins at `from`, at most `max`. Runs are cached, so that many anchors in one run
   * do not read it again.
   */
  endOfRun(classes: number, from: number, max = from + lookahead): number {
    const known = this.#runs.get(classes);
    const run = known && known.from <= from && from <= known.to ? known : { from, to: from };
    if (run !== known) this.#runs.set(classes, run);
    while (run.to < max && this.is(run.to, classes)) run.to++;
    return Math.min(run.to, max);
  }

  /** The start of a run of at most `max` characters that ends before `end`. */
  startOfRun(classes: number, end: number, max: number): number {
    let at = end;
    while (at > end - max && this.is(at - 1, classes)) at--;
    return at;
  }

  /** Whether the text has these characters at a position; of any length. */
  holds(value: string, at: number): boolean {
    this.#count(1);
    if (at + value.length <= this.text.length) return this.text.startsWith(value, at);
    if (!this.complete && value.startsWith(this.text.slice(at))) this.ranOut = true;
    return false;
  }

  /** Whether the character is one of these. */
  isOneOf(at: number, characters: string): boolean {
    const code = this.code(at);
    return code !== none && characters.includes(String.fromCharCode(code));
  }

  /** The text between two positions, within the window. */
  slice(from: number, to: number): string {
    this.#count(Math.max(0, to - from));
    const end = Math.min(to, this.#high);
    if (end > this.text.length) this.ranOut ||= !this.complete;
    return this.text.slice(Math.max(from, this.#low, 0), end);
  }

  #count(looks: number): void {
    this.steps += looks;
    if (this.steps > this.allowedSteps) throw new RedactionFailure("BATON-REDACTION-105");
  }
}
