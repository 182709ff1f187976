import type { Event } from "@baton/contract";
import { findSince } from "../events/find-start.ts";
import { readReported, shortId } from "../events/stored-events.ts";
import type { Clock } from "../ports/clock.ts";
import type { Store } from "../ports/store.ts";
import { TurnMemory } from "./turn-memory.ts";

/** Rows that are read at once; other work goes on between two pages. */
const page = 200;

/** All that is stored of one attempt. */
export class StoredReports {
  /** By short id: whether this process has received it. */
  readonly #isReceived = new Map<string, boolean>();
  /** What is published of thoughts. */
  readonly turns = new TurnMemory();

  add({ eventId, payload }: Event, ids: readonly string[], isReceived: boolean): void {
    for (const id of ids) this.#isReceived.set(id, isReceived);
    if (payload.case === "thoughtStream") this.turns.restore(eventId, payload.value);
  }

  has(eventId: string): boolean {
    return this.#isReceived.has(shortId(eventId));
  }

  /** Whether it is stored, and then whether this process receives it for the first time. */
  receive(eventId: string): "new" | "stored" | "received" {
    const id = shortId(eventId);
    const isReceived = this.#isReceived.get(id);
    if (isReceived === undefined) return "new";
    this.#isReceived.set(id, true);
    return isReceived ? "received" : "stored";
  }
}

/** An attempt, and a time before which nothing of it was reported. */
export interface SoughtAttempt {
  readonly tenantId: string;
  readonly dispatchId: string;
  readonly sinceMs: number;
}

export interface StoredReportsParts {
  readonly store: Pick<Store, "events">;
  /** The last event of a tenant that is durable. */
  readonly lastEvent: (tenantId: string) => bigint;
  readonly startedMs: number;
  readonly soon: Clock["soon"];
}

interface Search extends PromiseWithResolvers<StoredReports> {
  readonly sinceMs: number;
}

/** Reads stored events once for all attempts of a tenant that are looked up: after a restart they come together. */
export class StoredReportsReader {
  readonly #parts: StoredReportsParts;
  /** By tenant and attempt; a tenant is here while its events are read. */
  readonly #searches = new Map<string, Map<string, Search>>();

  constructor(parts: StoredReportsParts) {
    this.#parts = parts;
  }

  /** Rejects when the store does. */
  find({ tenantId, dispatchId, sinceMs }: SoughtAttempt): Promise<StoredReports> {
    const searches = this.#searches.get(tenantId) ?? new Map<string, Search>();
    const search = searches.get(dispatchId) ?? { ...Promise.withResolvers<StoredReports>(), sinceMs };
    searches.set(dispatchId, search);
    if (!this.#searches.has(tenantId)) {
      this.#searches.set(tenantId, searches);
      void this.#readAll(tenantId);
    }
    return search.promise;
  }

  async #readAll(tenantId: string): Promise<void> {
    for (;;) {
      await this.#yield();
      const searches = this.#searches.get(tenantId);
      if (!searches?.size) return void this.#searches.delete(tenantId);
      this.#searches.set(tenantId, new Map());
      try {
        const found = await this.#read(tenantId, searches);
        for (const [dispatchId, { resolve }] of searches)
          resolve(found.get(dispatchId) ?? new StoredReports());
      } catch (error) {
        for (const { reject } of searches.values()) reject(error);
      }
    }
  }

  async #read(tenantId: string, searches: ReadonlyMap<string, Search>) {
    const { store, lastEvent, startedMs } = this.#parts;
    const found = new Map<string, StoredReports>();
    const end = lastEvent(tenantId);
    const fromMs = searches.values().reduce((least, { sinceMs }) => Math.min(least, sinceMs), startedMs);
    let after = await findSince(store, { tenantId, after: 0n, end, fromMs });
    while (after < end) {
      const rows = await store.events(tenantId, after, page);
      for (const row of rows) {
        for (const { dispatchId, event, ids } of readReported(row, searches)) {
          const reports = found.get(dispatchId) ?? new StoredReports();
          found.set(dispatchId, reports);
          reports.add(event, ids, row.atMs > startedMs);
        }
      }
      after = rows.at(-1)?.lastSequence ?? end;
      await this.#yield();
    }
    return found;
  }

  #yield(): Promise<void> {
    return new Promise((resolve) => this.#parts.soon(resolve));
  }
}
