import { RE2JS } from "@bufbuild/re2";
import { schemaLimits, stepCosts } from "./limits.ts";

/**
 * Patterns of JSON Schemas. RE2 has no backreferences and no look-around, so that a text is matched in one pass with a set
 * of states. The library compiles a pattern; this file walks the states itself, because each one costs a counted step.
 */
export interface Pattern {
  /** Whether any part of the text matches. `step` is called with what was done. */
  test(text: string, step: (count: number) => void): boolean;
}

/** The instructions of the library's program; the comparison with its own matcher fails when they change. */
const op = { alt: 1, altMatch: 2, capture: 3, emptyWidth: 4, match: 6, nop: 7, firstRune: 8 } as const;

/** A class of Unicode has hundreds of ranges. */
const classSize = 150;

/** The size of a pattern: its characters, repetitions written out. RE2 writes `(a{10}){10}` out as a hundred `a`. */
export function patternParts(pattern: string): number {
  const outer: number[] = [];
  let total = 20;
  let last = 0;
  const token =
    /\\[pP](?:\{[^}]*\}?|.?)|\\.|\[\^?\]?(?:\\.|\[:[^\]]*\]|[^\]\\])*\]?|\{(\d+)(?:,(\d*))?\}|\(\?[a-zA-Z-]*:?|[\s\S]/g;
  for (const [text, least, most] of pattern.matchAll(token)) {
    if (least !== undefined) {
      const added = last * (Math.max(1, Number(least), Number(most ?? 0)) - 1);
      [total, last] = [total + added, last + added];
    } else if (text.startsWith("(")) {
      outer.push(total);
      [total, last] = [text.includes("i") ? classSize : 1, 0];
    } else if (text === ")" && outer.length > 0) {
      last = total;
      total += outer.pop() ?? 0;
    } else if (!/^[*+?|]$/.test(text)) {
      last = /\\[pP]|\[:|\[\^/.test(text) ? classSize : text.length;
      total += last;
    }
  }
  return outer.reduce((sum, one) => sum + one, total);
}

/** Why RE2 does not take a pattern; undefined when it does. */
export function refusePattern(pattern: string): string | undefined {
  const { patternChars, patternParts: most } = schemaLimits;
  if (pattern.length > patternChars)
    return `a pattern of ${pattern.length} characters is more than the ${patternChars} that are allowed`;
  if (patternParts(pattern) > most) return "the pattern repeats too much";
  try {
    RE2JS.compile(pattern);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

export function compilePattern(source: string): Pattern {
  const { inst: program, start } = RE2JS.compile(source).re2().prog;
  return { test: (text, step) => new Matcher(program, start, step).test(text) };
}

type Program = ReturnType<ReturnType<RE2JS["re2"]>["prog"]["getInst"]>[];

class Matcher {
  /** States that read the next character. */
  readonly #reading: number[] = [];
  /** States after it, before those that need no character are followed: `\b` and `$` depend on what comes next. */
  readonly #reached: number[] = [];
  readonly #stack: number[] = [];
  /** The position at which a state was added last, so that it is added once. */
  readonly #addedAt: Int32Array;
  readonly #program: Program;
  readonly #start: number;
  readonly #step: (count: number) => void;

  constructor(program: Program, start: number, step: (count: number) => void) {
    this.#program = program;
    this.#start = start;
    this.#step = step;
    this.#addedAt = new Int32Array(program.length).fill(-1);
    step(stepCosts.patternTest + program.length / 16);
  }

  test(text: string): boolean {
    let before = -1;
    for (let at = 0; at <= text.length; ) {
      const rune = text.codePointAt(at) ?? -1;
      this.#reading.length = 0;
      this.#reached.push(this.#start);
      if (this.#follow(at, contextBetween(before, rune))) return true;
      if (rune === -1) return false;
      for (const state of this.#reading) {
        const instruction = this.#program[state];
        if (!instruction) continue;
        this.#step(instruction.arg === 0 ? stepCosts.patternState : stepCosts.foldedState);
        if (instruction.matchRune(rune)) this.#reached.push(instruction.out);
      }
      this.#step(stepCosts.patternState);
      before = rune;
      at += rune > 0xffff ? 2 : 1;
    }
    return false;
  }

  /** Follows what needs no character; true when the pattern has matched. */
  #follow(at: number, context: number): boolean {
    const stack = this.#stack;
    for (const state of this.#reached) stack.push(state);
    this.#reached.length = 0;
    for (let state = stack.pop(); state !== undefined; state = stack.pop()) {
      if (this.#addedAt[state] === at) continue;
      this.#addedAt[state] = at;
      this.#step(stepCosts.patternState);
      const instruction = this.#program[state];
      if (!instruction) continue;
      const { op: kind, out, arg } = instruction;
      if (kind === op.match) return true;
      if (kind >= op.firstRune) this.#reading.push(state);
      else if (kind === op.alt || kind === op.altMatch) stack.push(arg, out);
      else if (kind === op.nop || kind === op.capture) stack.push(out);
      else if (kind === op.emptyWidth && (arg & ~context) === 0) stack.push(out);
    }
    return false;
  }
}

/** The positions that hold between two characters, as the library numbers them; -1 is the beginning or the end. */
function contextBetween(before: number, after: number): number {
  const newline = 0x0a;
  let context = before < 0 ? 0b101 : before === newline ? 0b1 : 0;
  context |= after < 0 ? 0b1010 : after === newline ? 0b10 : 0;
  return context | (isWord(before) === isWord(after) ? 0b10_0000 : 0b1_0000);
}

function isWord(rune: number): boolean {
  return (
    (rune >= 0x61 && rune <= 0x7a) ||
    (rune >= 0x41 && rune <= 0x5a) ||
    (rune >= 0x30 && rune <= 0x39) ||
    rune === 0x5f
  );
}
