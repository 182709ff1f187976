/**
 * What is remembered of the thoughts of an attempt's turns, so that what comes of one later goes on from where it stood: a
 * secret that another turn, or the end of a thought, has cut in two is no less a secret to who reads the turn as one text.
 */
import { createHash, type Hash } from "node:crypto";
import { type Earlier, type ToldThought, turnsRemembered } from "./earlier-tellings.ts";

/** How much is kept of the end of a thought that came as a whole: more than a detector sees. */
const longestTail = 2_048;

export interface TurnTold {
  /** The last event of its thought; empty when there was none but that of its turn. */
  eventId: string;
  /** Whether its thought has ended. */
  isOver: boolean;
  /** All that was told of its thought; undefined when an earlier life of the hub told it, and it is not known what. */
  sum: ToldSum | undefined;
  /** How what was said of it ends, secrets and all; empty where a line has ended. */
  tail: string;
  /** Whether it is not known how it ends. */
  isLost: boolean;
}

/** The turns that were spoken of last. */
export class ToldTurns {
  readonly #turns = new Map<number, TurnTold>();
  /** Of turns up to this one that are not here something was told, perhaps. */
  #forgotten: number;

  constructor(forgotten = -1) {
    this.#forgotten = forgotten;
  }

  get(turnIndex: number): TurnTold | undefined {
    return this.#turns.get(turnIndex);
  }

  /** The last turn that something was told of, perhaps. */
  get last(): number {
    return Math.max(this.#forgotten, ...this.#turns.keys());
  }

  /** Whether what comes of it may be the second half of something that nobody has. */
  isLost(turnIndex: number): boolean {
    return this.#turns.get(turnIndex)?.isLost ?? turnIndex <= this.#forgotten;
  }

  /** One that is spoken of now; who has it still says so, since it may be forgotten here. */
  use(turnIndex: number, turn = this.#turns.get(turnIndex) ?? begun()): TurnTold {
    this.#turns.delete(turnIndex);
    this.#turns.set(turnIndex, turn);
    const [oldest] = this.#turns.keys();
    if (this.#turns.size > turnsRemembered && oldest !== undefined) {
      this.#turns.delete(oldest);
      this.#forgotten = Math.max(this.#forgotten, oldest);
    }
    return turn;
  }

  /** What an earlier life of the hub told; what this one knows of a turn is more. */
  recall({ thoughts, forgotten }: Pick<Earlier, "thoughts" | "forgotten">): void {
    this.#forgotten = Math.max(this.#forgotten, forgotten);
    for (const [turnIndex, thought] of thoughts) {
      if (this.#turns.has(turnIndex)) continue;
      if (this.#turns.size < turnsRemembered) this.#turns.set(turnIndex, recalled(thought));
      else this.#forgotten = Math.max(this.#forgotten, turnIndex);
    }
  }
}

function begun(): TurnTold {
  return { eventId: "", isOver: false, sum: new ToldSum(), tail: "", isLost: false };
}

function recalled({ eventId, text, isFinal }: ToldThought): TurnTold {
  const sum = new ToldSum();
  sum.add(text);
  // What a marker stands for is known no more, and may go on.
  return { eventId, isOver: isFinal, sum, tail: tailOf(text), isLost: endsInMarker(text) };
}

export function endsInMarker(text: string): boolean {
  return /\[redacted:[a-z0-9-]+\]$/.test(text);
}

/** The end of a text that was said as a whole. */
export function tailOf(text: string): string {
  return text.endsWith("\n") ? "" : text.slice(-longestTail);
}

/** A text of any length that is added to, as far as it takes to know whether another one begins with it. */
export class ToldSum {
  readonly #hash: Hash = createHash("sha256");
  #length = 0;

  add(text: string): void {
    if (text === "") return;
    this.#hash.update(text, "utf16le");
    this.#length += text.length;
  }

  /** What follows it in a text that begins with it; undefined when the text does not. */
  restOf(text: string): string | undefined {
    if (text.length < this.#length) return undefined;
    const beginning = createHash("sha256").update(text.slice(0, this.#length), "utf16le").digest("hex");
    return beginning === this.#hash.copy().digest("hex") ? text.slice(this.#length) : undefined;
  }
}
