import { createHash } from "node:crypto";
import type { Event, ThoughtStream } from "@baton/contract";
import type { RedactionStream } from "@baton/kernel";

/** A turn is reported right behind its thoughts, and few agents think of several turns at once. */
const turnsRemembered = 16;

/** How much is kept of the end of a thought that came whole: more than a detector sees. */
const longestTail = 2_048;

/** What is remembered of the thought of a turn, so that what comes of it later goes on from there. */
export interface Turn {
  readonly index: number;
  /** The last event of its thought; empty when there is none but that of the turn. */
  eventId: string;
  /** Whether its thought has ended. */
  isOver: boolean;
  /** All that is published of its thought; undefined when that is not known. */
  published: PublishedText | undefined;
  /** How its words end, secrets included; empty at the end of a line. */
  tail: string;
  /** Whether it is not known how they end. */
  isLost: boolean;
  /** While its thought is open: what reads it, and its last piece. */
  stream?: RedactionStream | undefined;
  last?: Event;
}

/** The latest turns of an attempt. */
export class TurnMemory {
  readonly #turns = new Map<number, Turn>();
  /** Turns up to this one that are not here may have been published. */
  #forgotten: number;

  constructor(forgotten = -1) {
    this.#forgotten = forgotten;
  }

  get(index: number): Turn | undefined {
    return this.#turns.get(index);
  }

  /** The last turn that may have been published. */
  get last(): number {
    return Math.max(this.#forgotten, ...this.#turns.keys());
  }

  /** Whether what comes of it may be the second half of something that nobody has. */
  isLost(index: number): boolean {
    return this.#turns.get(index)?.isLost ?? index <= this.#forgotten;
  }

  /** Makes it the latest. One whose thought is open is not forgotten. */
  use(index: number): Turn {
    const turn = this.#turns.get(index) ?? {
      ...{ index, eventId: "", isOver: false, published: new PublishedText(), tail: "", isLost: false },
    };
    this.#add(turn);
    return turn;
  }

  /** A stored piece of a thought. What a marker at its end hides is not known any more, and may go on. */
  restore(eventId: string, { turnIndex, chunk, isFinal }: ThoughtStream): void {
    const turn = this.use(turnIndex);
    turn.published?.add(chunk);
    const tail = tailOf(turn.tail + chunk);
    Object.assign(turn, { eventId, isOver: isFinal, tail, isLost: endsInMarker(tail) });
  }

  /** Adds the turns that are stored; what this process knows of a turn is more. */
  recall(stored: TurnMemory): void {
    this.#forgotten = Math.max(this.#forgotten, stored.#forgotten);
    const known = [...this.#turns.values()];
    for (const turn of [...stored.#turns.values(), ...known]) this.#add(turn);
  }

  /** The latest, in place of what was known of it. */
  #add(turn: Turn): void {
    this.#turns.delete(turn.index);
    this.#turns.set(turn.index, turn);
    const oldest = this.#turns.values().find(({ stream }) => !stream);
    if (this.#turns.size <= turnsRemembered || !oldest) return;
    this.#turns.delete(oldest.index);
    this.#forgotten = Math.max(this.#forgotten, oldest.index);
  }
}

export function endsInMarker(text: string): boolean {
  return /\[redacted:[a-z0-9-]+\]$/.test(text);
}

/** The end of words that came whole. */
export function tailOf(text: string): string {
  return text.endsWith("\n") ? "" : text.slice(-longestTail);
}

/** A growing text of any length, as far as it takes to know whether another one begins with it. */
class PublishedText {
  readonly #hash = createHash("sha256");
  #length = 0;

  add(text: string): void {
    if (text !== "") this.#hash.update(text, "utf16le");
    this.#length += text.length;
  }

  /** What follows it in a text that begins with it; undefined when the text does not. */
  restOf(text: string): string | undefined {
    if (text.length < this.#length) return undefined;
    const beginning = createHash("sha256").update(text.slice(0, this.#length), "utf16le").digest("hex");
    return beginning === this.#hash.copy().digest("hex") ? text.slice(this.#length) : undefined;
  }
}
