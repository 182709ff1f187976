import type { Automaton } from "./automaton.ts";
import { type Gap, stripInvisible } from "./invisible.ts";
import { type Ending, Scanner, type Sink, type Undecided } from "./scanner.ts";

/**
 * A scanner for text with invisible characters: it scans without them and emits them at their positions, except inside a
 * secret. Positions of redactions are those of the input text.
 */
export class VisibleScanner {
  readonly #inner: Scanner;
  /** Pending gaps, by their positions. */
  #gaps: Gap[] = [];
  /** The end of the last chunk, if it may begin a gap. */
  #open = "";
  /** Visible characters received. */
  #length = 0;
  /** Of these, emitted or masked. */
  #given = 0;
  /** The total length of emitted or dropped gaps. */
  #shift = 0;

  constructor(automaton: Automaton, sink: Sink, from?: Undecided) {
    const inner: Sink = {
      plain: (text) => this.#plain(text, sink),
      redacted: (redaction) => {
        this.#dropLoneEscape(redaction.start);
        const start = redaction.start + this.#takeGaps(redaction.start, sink);
        this.#given = redaction.end;
        const end = redaction.end + this.#dropGaps(redaction.end);
        sink.redacted({ ...redaction, start, end });
      },
    };
    const isGap = (position: number) => this.#gaps.some(({ at }) => at === position);
    if (from === undefined) {
      this.#inner = new Scanner(automaton, inner, undefined, isGap);
      return;
    }
    this.#given = from.given;
    const seen = from.text.slice(0, from.given);
    const rest = this.#strip(from.text.slice(from.given), false, from.given);
    this.#length = from.given + rest.length;
    this.#inner = new Scanner(automaton, inner, { ...from, text: seen + rest }, isGap);
  }

  get steps(): number {
    return this.#inner.steps;
  }

  get heldBack(): number {
    return this.#inner.heldBack + this.#open.length;
  }

  get undecided(): Undecided | undefined {
    const undecided = this.#inner.undecided;
    if (undecided === undefined) return this.#open === "" ? undefined : { text: this.#open, given: 0 };
    const { text, given } = undecided;
    const start = this.#given - given;
    // The middle of a long secret is omitted, with its gaps.
    const gaps = start + text.length === this.#length ? this.#gaps : [];
    let put = text.slice(0, given);
    let at = given;
    for (const gap of gaps) {
      put += text.slice(at, gap.at - start) + gap.text;
      at = gap.at - start;
    }
    return { ...undecided, text: put + text.slice(at) + this.#open };
  }

  push(chunk: string, ending: Ending = "open"): void {
    const text = this.#strip(this.#open + chunk, ending !== "open", this.#length);
    this.#length += text.length;
    this.#inner.push(text, ending);
  }

  /** Emits the gaps at the very end. */
  finish(sink: Sink): void {
    this.#takeGaps(Number.POSITIVE_INFINITY, sink);
  }

  #strip(chunk: string, complete: boolean, from: number): string {
    const { text, gaps, open } = stripInvisible(chunk, from, complete);
    this.#gaps.push(...gaps);
    this.#open = open;
    return text;
  }

  #plain(text: string, sink: Sink): void {
    const until = this.#given + text.length;
    let at = 0;
    while (this.#gaps[0] !== undefined && this.#gaps[0].at < until) {
      const gap = this.#gaps.shift() as Gap;
      const position = Math.max(at, gap.at - this.#given);
      if (position > at) sink.plain(text.slice(at, position));
      sink.plain(gap.text);
      this.#shift += gap.text.length;
      at = position;
    }
    if (at < text.length) sink.plain(text.slice(at));
    this.#given = until;
  }

  /** Emits the gaps up to a position; returns the total length of all gaps before it. */
  #takeGaps(until: number, sink: Sink): number {
    while (this.#gaps[0] !== undefined && this.#gaps[0].at <= until) {
      const gap = this.#gaps.shift() as Gap;
      sink.plain(gap.text);
      this.#shift += gap.text.length;
    }
    return this.#shift;
  }

  /** An escape character before a marker would form a sequence with its bracket. */
  #dropLoneEscape(start: number): void {
    const isLone = (gap: Gap) => gap.at === start && gap.text === "\u001b";
    this.#shift += this.#gaps.filter(isLone).length;
    this.#gaps = this.#gaps.filter((gap) => !isLone(gap));
  }

  /** Drops the gaps inside a secret that ends here. */
  #dropGaps(end: number): number {
    while (this.#gaps[0] !== undefined && this.#gaps[0].at < end)
      this.#shift += this.#gaps.shift()?.text.length ?? 0;
    return this.#shift;
  }
}
