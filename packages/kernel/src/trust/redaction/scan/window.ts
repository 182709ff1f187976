import { RedactionFailure } from "../failure.ts";
import { classesOf } from "./char-class.ts";

/** How far a detector sees beyond its anchor. Bounds what a stream holds back. */
export const lookahead = 1024;

/** How far a detector sees before its anchor. A stream keeps so much of what it has already given out. */
export const lookbehind = 128;

/** No character: before the text, after the text, or out of sight. */
export const none = -1;

/**
 * What a detector sees of the text. Its bounds depend on the text alone, never on the chunks the text came in; a look
 * beyond the text that has arrived is noted in `ranOut`, and the detector is asked again when more is there. So detectors
 * know nothing of streams, and decide the same however the text was cut.
 */
export class Window {
  text = "";
  /** Whether the text is complete. */
  complete = false;
  ranOut = false;
  /** How many characters were looked at: tests hold it proportional to the text. */
  steps = 0;
  /** How many may be looked at. A detector that wants more would make redaction take longer than the text is long. */
  allowedSteps = Number.POSITIVE_INFINITY;
  #low = 0;
  #high = 0;
  #runs = new Map<number, { from: number; to: number }>();

  /** Whether something that is not seen was left out before a character: a word may begin there. */
  isAfterGap: (at: number) => boolean = () => false;

  load(text: string, complete: boolean, isAfterGap: (at: number) => boolean = () => false): void {
    this.text = text;
    this.isAfterGap = isAfterGap;
    this.complete = complete;
    this.#runs.clear();
  }

  /** Turns to an anchor. */
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
   * Where a run of characters ends that begins at `from`, at most at `most`. Runs are remembered, so that many anchors
   * within one run do not each read it again.
   */
  endOfRun(classes: number, from: number, most = from + lookahead): number {
    const known = this.#runs.get(classes);
    const run = known && known.from <= from && from <= known.to ? known : { from, to: from };
    if (run !== known) this.#runs.set(classes, run);
    while (run.to < most && this.is(run.to, classes)) run.to++;
    return Math.min(run.to, most);
  }

  /** Where a run of at most `most` characters begins that ends before `end`. */
  startOfRun(classes: number, end: number, most: number): number {
    let at = end;
    while (at > end - most && this.is(at - 1, classes)) at--;
    return at;
  }

  /** Whether these very characters stand here; of any length. */
  holds(value: string, at: number): boolean {
    this.#count(1);
    if (at + value.length <= this.text.length) return this.text.startsWith(value, at);
    if (!this.complete && value.startsWith(this.text.slice(at))) this.ranOut = true;
    return false;
  }

  /** Which of the characters stands here. */
  isOneOf(at: number, characters: string): boolean {
    const code = this.code(at);
    return code !== none && characters.includes(String.fromCharCode(code));
  }

  /** The text between, as far as it can be seen. */
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
