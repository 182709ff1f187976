/**
 * Pieces of thoughts and lines of terminals come one by one, many in a second. Each alone would be a row and a wait for
 * the disk; so what comes of an attempt within a moment is stored together, and the pieces of a thought as one.
 *
 * G1. The first piece after a silence goes at once; those that follow within `windowMs` go together at its end.
 * G2. Nothing is shown before it is stored, and a number of the stream is given when it is stored: who comes back after a
 *     number has seen all up to it, and nothing of what follows.
 * G3. What came earlier of an attempt is stored earlier: whoever stores something else takes along what waits.
 */
import type { Event } from "@baton/contract";

export const gatherLimits = {
  /** How long a piece waits at the most. Nobody sees the difference. */
  windowMs: 40,
  /** As many do not wait any longer. */
  pieces: 64,
  characters: 16_384,
} as const;

/** Ids of the pieces that have become a part of an event, by its own id, which is that of the last piece. */
export type Joined = ReadonlyMap<string, readonly string[]>;

/** Stores events of an attempt, and under which ids they were said. */
type StoreEvents = (events: readonly Event[], joined: Joined) => Promise<void>;

interface Gathered {
  events: Event[];
  readonly joined: Map<string, string[]>;
  pieces: number;
  characters: number;
  /** Whoever told them hears when they are durable. */
  readonly settle: PromiseWithResolvers<void>;
}

interface Window {
  stop: () => void;
  gathered: Gathered | undefined;
}

interface Taken {
  readonly events: readonly Event[];
  readonly joined: Joined;
  follow(storing: Promise<void>): void;
}

const none: Joined = new Map();

export class GatheredEvents {
  readonly #after: (delayMs: number, callback: () => void) => () => void;
  /** By attempt, while its window is open. */
  readonly #windows = new Map<string, Window>();

  constructor(after: (delayMs: number, callback: () => void) => () => void) {
    this.#after = after;
  }

  /** Resolves when they are stored. `store` is what stores events of the attempt, now or at the end of its window. */
  add(attempt: string, events: readonly Event[], store: StoreEvents): Promise<void> {
    const window = this.#windows.get(attempt);
    if (!window) {
      this.#open(attempt, store);
      return store(events, none);
    }
    window.gathered ??= {
      ...{ events: [], joined: new Map(), pieces: 0, characters: 0 },
      settle: Promise.withResolvers(),
    };
    const { gathered } = window;
    for (const event of events) join(gathered, event);
    gathered.pieces++;
    if (gathered.pieces >= gatherLimits.pieces || gathered.characters >= gatherLimits.characters) {
      this.#hand(window, store);
    }
    return gathered.settle.promise;
  }

  /** Whether something may wait of an attempt. */
  isOpen(attempt: string): boolean {
    return this.#windows.has(attempt);
  }

  /** What waits of an attempt, to be stored in front of what comes now. Whoever takes it tells how that went. */
  take(attempt: string): Taken {
    const window = this.#windows.get(attempt);
    const gathered = window?.gathered;
    if (window) window.gathered = undefined;
    return {
      events: gathered?.events ?? [],
      joined: gathered?.joined ?? none,
      follow: (storing) => void storing.then(gathered?.settle.resolve, gathered?.settle.reject),
    };
  }

  /** Nothing more comes of an attempt; what waits was taken. */
  forget(attempt: string): void {
    this.#windows.get(attempt)?.stop();
    this.#windows.delete(attempt);
  }

  #open(attempt: string, store: StoreEvents): void {
    const window: Window = { stop: () => {}, gathered: undefined };
    this.#windows.set(attempt, window);
    const wait = () => {
      window.stop = this.#after(gatherLimits.windowMs, () => {
        if (!window.gathered) return void this.#windows.delete(attempt);
        this.#hand(window, store);
        wait();
      });
    };
    wait();
  }

  #hand(window: Window, store: StoreEvents): void {
    const { gathered } = window;
    window.gathered = undefined;
    if (gathered)
      store(gathered.events, gathered.joined).then(gathered.settle.resolve, gathered.settle.reject);
  }
}

/** Pieces of one thought become one piece; lines stay lines. */
function join(gathered: Gathered, event: Event): void {
  const before = gathered.events.at(-1);
  const last = before?.payload;
  const { payload } = event;
  if (payload.case === "thoughtStream") {
    gathered.characters += payload.value.chunk.length;
    const isSame =
      last?.case === "thoughtStream" &&
      last.value.turnIndex === payload.value.turnIndex &&
      last.value.agentId === payload.value.agentId;
    if (before && isSame && last?.case === "thoughtStream") {
      // Whoever says one of the pieces again says what is stored.
      const parts = gathered.joined.get(before.eventId) ?? [];
      gathered.joined.delete(before.eventId);
      parts.push(before.eventId);
      gathered.joined.set(event.eventId, parts);
      const value = { ...payload.value, chunk: last.value.chunk + payload.value.chunk };
      gathered.events.splice(-1, 1, { ...event, payload: { case: "thoughtStream", value } });
      return;
    }
  }
  if (payload.case === "sandboxPulse") gathered.characters += payload.value.line.length;
  gathered.events.push(event);
}
