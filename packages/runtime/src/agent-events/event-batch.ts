import type { Event } from "@baton/contract";

export const batchLimits = {
  /** The longest that a piece waits. Nobody sees the difference. */
  windowMs: 40,
  pieces: 64,
  characters: 16_384,
} as const;

/** By the id of an event: the ids of the pieces that have become a part of it. */
export type Joined = ReadonlyMap<string, readonly string[]>;

interface Waiting {
  readonly events: Event[];
  readonly joined: Map<string, string[]>;
  pieces: number;
  characters: number;
  readonly stored: PromiseWithResolvers<void>;
}

const none: Joined = new Map();

/**
 * The pieces of thoughts and lines that an attempt reports within a moment, stored together: each alone would be a row and a
 * wait for the disk.
 *
 * B1. The first piece after a silence is stored at once; those that follow within `windowMs` are stored together.
 * B2. Nothing is visible before it is stored, and an event gets its number when it is stored: a watcher that comes back
 *     with a number has seen everything up to it and nothing after it.
 * B3. What was reported earlier is stored earlier: anything else that is stored of the attempt takes the waiting pieces along.
 */
export class EventBatch {
  readonly #after: (delayMs: number, callback: () => void) => () => void;
  readonly #store: (events: readonly Event[], joined: Joined) => Promise<void>;
  #closeWindow: (() => void) | undefined;
  #waiting: Waiting | undefined;

  constructor(
    after: (delayMs: number, callback: () => void) => () => void,
    store: (events: readonly Event[], joined: Joined) => Promise<void>,
  ) {
    this.#after = after;
    this.#store = store;
  }

  get isOpen(): boolean {
    return this.#closeWindow !== undefined;
  }

  /** Resolves when they are stored. */
  add(events: readonly Event[]): Promise<void> {
    if (!this.isOpen) {
      this.#openWindow();
      return this.#store(events, none);
    }
    this.#waiting ??= {
      ...{ events: [], joined: new Map(), pieces: 0, characters: 0 },
      stored: Promise.withResolvers(),
    };
    const waiting = this.#waiting;
    for (const event of events) join(waiting, event);
    waiting.pieces++;
    if (waiting.pieces >= batchLimits.pieces || waiting.characters >= batchLimits.characters) this.#flush();
    return waiting.stored.promise;
  }

  /** The waiting events, to be stored in front of others. The caller says with `settle` how that goes. */
  take() {
    const { events = [], joined = none, stored } = this.#waiting ?? {};
    this.#waiting = undefined;
    const settle = (storing: Promise<void>) => {
      if (stored) storing.then(stored.resolve, stored.reject);
    };
    return { events, joined, settle };
  }

  close(): void {
    this.#closeWindow?.();
    this.#closeWindow = undefined;
  }

  #openWindow(): void {
    this.#closeWindow = this.#after(batchLimits.windowMs, () => {
      this.#closeWindow = undefined;
      if (!this.#waiting) return;
      this.#flush();
      this.#openWindow();
    });
  }

  #flush(): void {
    const { events, joined, settle } = this.take();
    settle(this.#store(events, joined));
  }
}

/** Pieces of one thought become one event under the id of the last; lines stay apart. */
function join(waiting: Waiting, event: Event): void {
  const { payload } = event;
  const before = waiting.events.at(-1);
  if (payload.case === "sandboxPulse") waiting.characters += payload.value.line.length;
  if (payload.case === "thoughtStream") {
    waiting.characters += payload.value.chunk.length;
    const last = before?.payload;
    const { agentId, turnIndex } = payload.value;
    if (
      before &&
      last?.case === "thoughtStream" &&
      last.value.turnIndex === turnIndex &&
      last.value.agentId === agentId
    ) {
      const parts = waiting.joined.get(before.eventId) ?? [];
      waiting.joined.delete(before.eventId);
      waiting.joined.set(event.eventId, [...parts, before.eventId]);
      const value = { ...payload.value, chunk: last.value.chunk + payload.value.chunk };
      waiting.events.splice(-1, 1, { ...event, payload: { case: "thoughtStream", value } });
      return;
    }
  }
  waiting.events.push(event);
}
