/**
 * What is stored of attempts whose agents may say it again: a hub that was killed had stored more than it could acknowledge,
 * and an agent that is called says everything from the beginning (A §3.4). Nobody keeps account of it while all goes well;
 * it is read from the stored events when an agent has come back and speaks. What retention has removed is not known.
 */
import type { Event } from "@baton/contract";
import { readTold, shortId } from "../events/stored-events.ts";
import { findSince } from "../hub/find-beginning.ts";
import type { Clock } from "../ports/clock.ts";
import type { Store } from "../ports/store.ts";

/** What was told of the thought of a turn. */
export interface ToldThought {
  /** The last event of it. */
  readonly eventId: string;
  readonly text: string;
  readonly isFinal: boolean;
}

/** A turn is told right behind its thoughts, and few agents think of several turns at once. */
export const turnsRemembered = 16;

/** Events that are read at once: it goes on only when all that has come in meanwhile was heard. */
const page = 200;

/** All that is stored of one attempt. */
export class Earlier {
  /** By short id: whether this life of the hub has heard it already. */
  readonly #isHeard = new Map<string, boolean>();
  /** By turn, of the last few. */
  readonly thoughts = new Map<number, ToldThought>();
  /** The last of the turns that were told of and are not among them. */
  forgotten = -1;

  add({ eventId, payload }: Event, ids: readonly string[], isHeard: boolean): void {
    for (const id of ids) this.#isHeard.set(id, isHeard);
    if (payload.case !== "thoughtStream") return;
    const { turnIndex, chunk, isFinal } = payload.value;
    const text = (this.thoughts.get(turnIndex)?.text ?? "") + chunk;
    this.thoughts.delete(turnIndex);
    this.thoughts.set(turnIndex, { eventId, text, isFinal });
    const [oldest] = this.thoughts.keys();
    if (this.thoughts.size <= turnsRemembered || oldest === undefined) return;
    this.thoughts.delete(oldest);
    this.forgotten = Math.max(this.forgotten, oldest);
  }

  has(eventId: string): boolean {
    return this.#isHeard.size > 0 && this.#isHeard.has(shortId(eventId));
  }

  /** Whether it is stored, and then whether this life of the hub hears it for the first time. */
  meet(eventId: string): "new" | "stored" | "heard" {
    const id = shortId(eventId);
    const isHeard = this.#isHeard.get(id);
    if (isHeard === undefined) return "new";
    this.#isHeard.set(id, true);
    return isHeard ? "heard" : "stored";
  }
}

/** The attempt that is looked for, and a time before which nothing was told of it. */
export interface Wanted {
  readonly tenantId: string;
  readonly dispatchId: string;
  readonly sinceMs: number;
}

export interface EarlierParts {
  readonly store: Pick<Store, "events">;
  /** The last event of a tenant that is durable. */
  readonly lastEvent: (tenantId: string) => bigint;
  /** When this life of the hub began. */
  readonly beganMs: number;
  readonly soon: Clock["soon"];
}

interface Waiting extends PromiseWithResolvers<Earlier> {
  readonly sinceMs: number;
}

/** Reads stored events once for all attempts of a tenant that wait for it: after a restart they come together. */
export class EarlierTellings {
  readonly #parts: EarlierParts;
  /** By tenant and attempt; a tenant is here while its events are read. */
  readonly #waiting = new Map<string, Map<string, Waiting>>();

  constructor(parts: EarlierParts) {
    this.#parts = parts;
  }

  /** Rejects when the store does. */
  find({ tenantId, dispatchId, sinceMs }: Wanted): Promise<Earlier> {
    const waiting = this.#waiting.get(tenantId);
    const known = waiting?.get(dispatchId);
    if (known) return known.promise;
    const one = { ...Promise.withResolvers<Earlier>(), sinceMs };
    if (waiting) waiting.set(dispatchId, one);
    else {
      this.#waiting.set(tenantId, new Map([[dispatchId, one]]));
      void this.#readAll(tenantId);
    }
    return one.promise;
  }

  async #readAll(tenantId: string): Promise<void> {
    for (;;) {
      await this.#breathe();
      const wanted = this.#waiting.get(tenantId) ?? new Map<string, Waiting>();
      if (wanted.size === 0) return void this.#waiting.delete(tenantId);
      this.#waiting.set(tenantId, new Map());
      try {
        const found = await this.#read(tenantId, wanted);
        for (const [dispatchId, { resolve }] of wanted) resolve(found.get(dispatchId) ?? new Earlier());
      } catch (error) {
        for (const { reject } of wanted.values()) reject(error);
      }
    }
  }

  async #read(tenantId: string, wanted: ReadonlyMap<string, Waiting>): Promise<ReadonlyMap<string, Earlier>> {
    const { store, lastEvent, beganMs } = this.#parts;
    const found = new Map<string, Earlier>();
    const end = lastEvent(tenantId);
    const fromMs = wanted.values().reduce((least, { sinceMs }) => Math.min(least, sinceMs), beganMs);
    let after = await findSince(store, { tenantId, after: 0n, end, fromMs });
    while (after < end) {
      const rows = await store.events(tenantId, after, page);
      for (const row of rows) {
        for (const { dispatchId, event, ids } of readTold(row, wanted)) {
          const earlier = found.get(dispatchId) ?? new Earlier();
          found.set(dispatchId, earlier);
          earlier.add(event, ids, row.atMs > beganMs);
        }
      }
      after = rows.at(-1)?.lastSequence ?? end;
      await this.#breathe();
    }
    return found;
  }

  #breathe(): Promise<void> {
    return new Promise((resolve) => this.#parts.soon(resolve));
  }
}
