import { certainEnd, type TailRun } from "./tail-run.ts";

/** A finding, with positions in the whole text. */
export interface Match {
  readonly kind: string;
  readonly rank: number;
  /** The start of its anchor. */
  readonly anchor: number;
  readonly start: number;
  /** Its end, without open tails. */
  readonly end: number;
  readonly tails: readonly TailRun[];
}

export interface Redaction {
  readonly kind: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Pending findings. Overlapping ones become one redaction, so that no part remains; its kind is that of the first, and of
 * the lowest rank among equal starts, regardless of the order of detection.
 */
export class Matches {
  #pending: Match[] = [];

  /** The first anchor of the pending findings. */
  get firstAnchor(): number {
    return this.#pending.reduce((first, { anchor }) => Math.min(first, anchor), Number.POSITIVE_INFINITY);
  }

  /** Nearly always appended, because anchors are found from left to right. */
  add(match: Match): void {
    let at = this.#pending.length;
    while (at > 0 && comesBefore(match, this.#pending[at - 1] as Match)) at--;
    this.#pending.splice(at, 0, match);
  }

  /** The redactions that end before `until`, which are final, and the start of the next one. */
  take(until: number): { readonly settled: readonly Redaction[]; readonly next: number | undefined } {
    const settled: Redaction[] = [];
    const waiting: Match[] = [];
    let current: Match | undefined;
    const finish = (match: Match) => {
      const isSettled = waiting.length === 0 && match.tails.every(isOver) && reach(match) <= until;
      if (isSettled) settled.push({ kind: match.kind, start: match.start, end: reach(match) });
      else waiting.push(match);
    };
    for (const match of this.#pending) {
      if (current && match.start < reach(current)) {
        current = join(current, match);
      } else {
        if (current) finish(current);
        current = match;
      }
    }
    if (current) finish(current);
    this.#pending = waiting;
    return { settled, next: waiting[0]?.start };
  }
}

function comesBefore(a: Match, b: Match): boolean {
  return a.start < b.start || (a.start === b.start && a.rank < b.rank);
}

function join(first: Match, second: Match): Match {
  const tails = [...new Set([...first.tails, ...second.tails])];
  return {
    ...first,
    anchor: Math.min(first.anchor, second.anchor),
    end: Math.max(reach(first), reach(second)),
    tails: tails.filter((tail) => !isOver(tail)),
  };
}

function reach({ end, tails }: Match): number {
  return tails.reduce((furthest, tail) => Math.max(furthest, certainEnd(tail)), end);
}

function isOver(tail: TailRun): boolean {
  return tail.end !== undefined;
}
