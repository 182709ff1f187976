import { isIn } from "./char-class.ts";
import { type MachineTail, maxTrim, type RunTail, stopAfter, stopBefore, type Tail } from "./tail.ts";

/** A tail in progress, with positions in the whole text. */
export interface TailRun {
  readonly tail: Tail;
  readonly from: number;
  /** Everything before has been read. */
  at: number;
  memory: number;
  /** Its end; undefined while it continues. */
  end: number | undefined;
}

export function beginTail(tail: Tail, from: number): TailRun {
  return { tail, from, at: from, memory: tail.type === "machine" ? tail.begin : 0, end: undefined };
}

/** Reads the available text, which begins at position `base`. */
export function readTail(run: TailRun, text: string, base: number, complete: boolean): void {
  if (run.tail.type === "machine") readMachine(run, run.tail, text, base);
  else readRun(run, run.tail, text, base);
  if (complete && run.end === undefined) run.end = trimmed(run, text, base);
}

/** Its minimum end. */
export function certainEnd(run: TailRun): number {
  return run.end ?? run.at - maxTrim;
}

function readRun(run: TailRun, tail: RunTail, text: string, base: number): void {
  let at = run.at - base;
  while (at < text.length && tail.goesOn(text.charCodeAt(at))) at++;
  run.at = at + base;
  if (at < text.length) run.end = trimmed(run, text, base);
}

function readMachine(run: TailRun, { next }: MachineTail, text: string, base: number): void {
  while (run.at - base < text.length) {
    const memory = next(run.memory, text.charCodeAt(run.at - base));
    if (memory === stopBefore) {
      run.end = run.at;
      return;
    }
    run.at++;
    if (memory === stopAfter) {
      run.end = run.at;
      return;
    }
    run.memory = memory;
  }
}

function trimmed({ tail, at }: TailRun, text: string, base: number): number {
  if (tail.type === "machine") return at;
  let end = at;
  while (end > at - maxTrim && end > base && isIn(text.charCodeAt(end - 1 - base), tail.trim)) end--;
  return end;
}
