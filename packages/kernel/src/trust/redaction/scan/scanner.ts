import { cutKind } from "../marker.ts";
import { type Automaton, asciiCount, type Hit } from "./automaton.ts";
import { alphanumeric, charClass, isIn } from "./char-class.ts";
import { type Finding, maxBefore } from "./detector.ts";
import { Matches, type Redaction } from "./matches.ts";
import type { Tail } from "./tail.ts";
import { beginTail, readTail, type TailRun } from "./tail-run.ts";
import { lookahead, lookbehind, Window } from "./window.ts";

/** Receives the output of the scanner, in order. */
export interface Sink {
  plain(text: string): void;
  redacted(redaction: Redaction): void;
}

/**
 * The step budget of detectors: per chunk, because they run again when more text arrives, and per character. The built-in
 * ones use at most half; exceeding it is a failure.
 */
const allowance = { chunk: 16_384, character: 64 } as const;

/** Text that a scanner has read and not emitted, for another one to continue. May contain secrets. */
export interface Undecided {
  readonly text: string;
  /** The length of the beginning that was emitted already and is only context for detectors. */
  readonly given: number;
  /** Anchors before this position are decided and ignored. */
  readonly examined?: number;
}

/** Whether more text may come, the text is complete, or it was cut off. */
export type Ending = "open" | "whole" | "cut";

/** For cut-off beginnings; see `Detector.minCut`. */
const defaultCut = 4;

/** The kept length of a long secret's beginning, with the context of its detector. */
const maxBeginningLength = 2 * lookahead;

/**
 * Reads text in chunks and emits it without the detectors' findings.
 *
 * I1. The automaton reads every character once, and stops at an anchor whose detector has to see more than has arrived.
 * I2. Nothing is emitted from `#hold` on: later findings begin there or after it.
 * I3. What detectors decide depends on the text alone (see `Window`), so the result does not depend on the chunks.
 *
 * From I1, what is held back is at most an anchor, `maxBefore` before it and `lookahead` after it, or a known value.
 */
export class Scanner {
  readonly #automaton: Automaton;
  readonly #sink: Sink;
  /** Whether invisible characters were removed before a position. */
  readonly #isGap: (position: number) => boolean;
  readonly #window = new Window();
  readonly #matches = new Matches();
  #text = "";
  /** The position of the first character of `#text` in the whole text. */
  #base = 0;
  /** The next character of `#text` for the automaton. */
  #at = 0;
  #state: number;
  /** Whether the anchor that ends before `#at` is still to be examined. */
  #paused = false;
  /** Whether the text was cut off. */
  #isCut = false;
  #hold = 0;
  /** Everything before this position has been emitted or masked. */
  #given = 0;
  /** Anchors before this position were examined by another scanner with more context. */
  readonly #examined: number = Number.NEGATIVE_INFINITY;
  /** The beginning of a long secret and its context, once `#text` has dropped it. */
  #beginning = { at: 0, text: "" };
  #openTails: TailRun[] = [];
  readonly #lastRuns = new Map<Tail, TailRun>();
  #tailSteps = 0;

  /** Continues from the undecided text of another scanner. */
  constructor(
    automaton: Automaton,
    sink: Sink,
    from?: Undecided,
    isGap: (position: number) => boolean = () => false,
  ) {
    this.#automaton = automaton;
    this.#isGap = isGap;
    this.#state = automaton.initial;
    this.#sink = sink;
    this.#window.allowedSteps = 0;
    if (!from) return;
    this.#given = from.given;
    this.#examined = from.examined ?? this.#examined;
    this.push(from.text);
  }

  /** The characters read by the automaton, the detectors and the tails together. */
  get steps(): number {
    return this.#base + this.#at + this.#window.steps + this.#tailSteps;
  }

  /** Characters received and not emitted, without those being masked. */
  get heldBack(): number {
    return this.#base + this.#text.length - this.#hold;
  }

  /** Undefined when everything is emitted and a line has ended: the initial state. */
  get undecided(): Undecided | undefined {
    const isAllGiven = this.#given === this.#base + this.#text.length;
    if (isAllGiven && (this.#text === "" || this.#text.endsWith("\n"))) return undefined;
    const { at, text } = this.#beginning;
    if (text === "") {
      const seen = Math.max(this.#startOfSight(), this.#base);
      return this.#undecidedFrom(seen, this.#text.slice(seen - this.#base));
    }
    const isWhole = at + text.length >= this.#base;
    const rest = isWhole ? this.#text : this.#text.slice(afterPlainCharacter(this.#text));
    return this.#undecidedFrom(at, text + rest);
  }

  push(chunk: string, ending: Ending = "open"): void {
    const complete = ending !== "open";
    this.#drop(Math.max(0, Math.min(this.#hold, this.#anchorUnderWay()) - lookbehind - this.#base));
    this.#text += chunk;
    const base = this.#base;
    this.#window.load(this.#text, complete, (at) => this.#isGap(base + at));
    this.#window.allowedSteps += allowance.chunk + allowance.character * chunk.length;
    for (const run of this.#openTails) this.#read(run);
    this.#openTails = this.#openTails.filter(({ end }) => end === undefined);
    this.#isCut = ending === "cut";
    this.#scan();
    this.#hold = complete ? this.#base + this.#text.length : this.#base + this.#startOfNextFinding();
    this.#emit();
  }

  #undecidedFrom(seen: number, text: string): Undecided {
    return { text, given: this.#given - seen, examined: this.#firstOpenAnchor() - seen };
  }

  /** The start of the text that another scanner needs for the same findings. */
  #startOfSight(): number {
    return Math.max(0, Math.min(this.#given, this.#firstOpenAnchor()) - lookbehind);
  }

  /** Anchors before this position have led to nothing or to emitted text. */
  #firstOpenAnchor(): number {
    return Math.min(this.#anchorUnderWay(), this.#matches.firstAnchor);
  }

  /** The start of the longest anchor that may be incomplete. */
  #anchorUnderWay(): number {
    const { depth, width } = this.#automaton;
    return this.#base + this.#at - (depth[this.#state / width] as number);
  }

  #drop(count: number): void {
    // Omitting the middle of a long secret does not change how it continues.
    const at = this.#beginning.text === "" ? this.#startOfSight() : this.#beginning.at;
    if (at < this.#base + count) {
      const more = this.#text.slice(Math.max(0, at - this.#base), count);
      this.#beginning = { at, text: (this.#beginning.text + more).slice(0, maxBeginningLength) };
    }
    this.#text = this.#text.slice(count);
    this.#base += count;
    this.#at -= count;
  }

  #scan(): void {
    if (this.#paused && !this.#examine()) return;
    const { table, columns, firstAccepting } = this.#automaton;
    const text = this.#text;
    let state = this.#state;
    for (let at = this.#at; at < text.length; at++) {
      const code = text.charCodeAt(at);
      state = table[state + (code < asciiCount ? (columns[code] as number) : 0)] as number;
      if (state < firstAccepting) continue;
      this.#state = state;
      this.#at = at + 1;
      if (!this.#examine()) return;
    }
    this.#state = state;
    this.#at = text.length;
  }

  /** Runs the detectors of the anchors that end here. False when one needs more text. */
  #examine(): boolean {
    let found: [Hit, Finding][] | undefined; // Most anchors lead to nothing, and then nothing is allocated.
    const { hits, width } = this.#automaton;
    for (const hit of hits[this.#state / width] as readonly Hit[]) {
      const anchor = this.#at - hit.length;
      if (this.#base + anchor < this.#examined) continue;
      this.#window.aim(anchor, this.#at);
      const finding = isInMarker(this.#window, anchor)
        ? undefined
        : hit.detector.examine(this.#window, anchor, this.#at);
      this.#paused = this.#window.ranOut;
      if (this.#paused) return false;
      if (this.#isCut && this.#wouldGoOn(hit, finding)) this.#cover();
      if (finding && !beginsWithMarker(this.#text, finding.start)) {
        found = [...(found ?? []), [hit, finding]];
      }
    }
    for (const [hit, finding] of found ?? []) this.#accept(hit, finding);
    return true;
  }

  /** Whether a finding would continue in the missing text, and its beginning must be masked. */
  #wouldGoOn({ detector, length }: Hit, finding: Finding | undefined): boolean {
    if (finding && (finding.tail || finding.end === this.#text.length)) return false;
    if (!this.#hasLetters(this.#at, detector.minCut ?? defaultCut)) return false;
    this.#window.complete = false;
    this.#window.aim(this.#at - length, this.#at);
    detector.examine(this.#window, this.#at - length, this.#at);
    this.#window.complete = true;
    return this.#window.ranOut;
  }

  /** Whether that many letters and digits follow. */
  #hasLetters(from: number, count: number): boolean {
    let left = count;
    for (let at = from; left > 0 && at < this.#text.length; at++) {
      if (isIn(this.#text.charCodeAt(at), alphanumeric)) left--;
    }
    return left === 0;
  }

  /** Masks the word of the anchor and everything after it. */
  #cover(): void {
    const start = Math.max(this.#given, this.#base + this.#startOfNextFinding());
    const end = this.#base + this.#text.length;
    if (start < end)
      this.#matches.add({
        kind: cutKind,
        rank: Number.POSITIVE_INFINITY,
        anchor: start,
        start,
        end,
        tails: [],
      });
  }

  #accept({ detector: { kind }, rank, length }: Hit, finding: Finding): void {
    const [start, end] = [finding.start + this.#base, finding.end + this.#base];
    const isTooFar = finding.start < this.#at - length - maxBefore || start < this.#hold;
    if (isTooFar || !this.#isVisible(finding.start))
      throw new RangeError(`a finding of ${kind} begins out of bounds`);
    const tails = finding.tail ? [this.#follow(finding.tail, end)] : [];
    this.#matches.add({ kind, rank, anchor: this.#base + this.#at - length, start, end, tails });
  }

  /** A run is read once, even if it contains many anchors. */
  #follow(tail: Tail, from: number): TailRun {
    const last = tail.type === "run" ? this.#lastRuns.get(tail) : undefined;
    if (last && last.from <= from && from <= last.at) return last;
    const run = beginTail(tail, from);
    this.#lastRuns.set(tail, run);
    this.#read(run);
    if (run.end === undefined) this.#openTails.push(run);
    return run;
  }

  #read(run: TailRun): void {
    const before = run.at;
    readTail(run, this.#text, this.#base, this.#window.complete);
    this.#tailSteps += run.at - before;
  }

  /** The start of the word before the longest incomplete anchor, as far as a finding may reach back. */
  #startOfNextFinding(): number {
    const anchor = Math.max(0, this.#anchorUnderWay() - this.#base);
    let start = anchor;
    while (start < this.#at && !this.#isVisible(start)) start++;
    if (start > anchor) return start;
    while (start > Math.max(0, anchor - maxBefore) && this.#isVisible(start - 1)) start--;
    return start;
  }

  #isVisible(at: number): boolean {
    return isIn(this.#text.charCodeAt(at), charClass.visible);
  }

  #emit(): void {
    const { settled, next } = this.#matches.take(this.#hold);
    for (const redaction of settled) {
      if (redaction.end <= this.#given) continue; // Emitted by another scanner.
      this.#emitText(redaction.start);
      this.#sink.redacted(redaction);
      this.#markEmitted(redaction.end);
    }
    this.#emitText(Math.min(next ?? this.#hold, this.#hold));
  }

  #emitText(until: number): void {
    if (until <= this.#given) return;
    this.#sink.plain(this.#text.slice(this.#given - this.#base, until - this.#base));
    this.#markEmitted(until);
  }

  #markEmitted(position: number): void {
    this.#given = position;
    if (this.#startOfSight() >= this.#base) this.#beginning = { at: 0, text: "" };
  }
}

/** The first position that is not escaped by the text before it. */
function afterPlainCharacter(text: string): number {
  let at = 1;
  while (at < text.length && text.charAt(at - 1) === "\\") at++;
  return at;
}

/** Whether a finding begins with a marker or inside one, such as `:[redacted:token]`. */
function beginsWithMarker(text: string, start: number): boolean {
  const word = /^\S*/.exec(text.slice(start, start + 96))?.[0] ?? "";
  if (/\[redacted:[a-z0-9-]{1,40}\]/.test(word)) return true;
  const before = text.slice(Math.max(0, start - 52), start);
  return /\[redacted:?[a-z0-9-]*$/.test(before) && /^[a-z0-9:-]{0,40}\]/.test(word);
}

const opening = "[redacted:";
const maxKindLength = 40;

/** Anchors within a marker are ignored, so that redacting twice changes nothing. */
function isInMarker(window: Window, anchor: number): boolean {
  const before = window.text.slice(Math.max(0, anchor - maxKindLength - opening.length), anchor);
  const start = before.lastIndexOf(opening);
  if (start < 0 || !/^[a-z0-9-]*$/.test(before.slice(start + opening.length))) return false;
  let end = anchor;
  while (end < anchor + maxKindLength && window.is(end, charClass.lower | charClass.digit | charClass.dash))
    end++;
  return window.code(end) === 0x5d;
}
