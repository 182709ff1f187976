import type { Outgoing } from "../lib/outgoing.ts";
import type { EventRow } from "../ports/store.ts";
import { type Bundle, bytesOf } from "./visible-events.ts";

export const watchLimits = {
  /**
   * Maximum number of bundles that wait for one watcher; a slower one is disconnected with the position to resume from.
   */
  backlog: 1_000,
  /** Up to this number of watchers, rows are sent at once. */
  few: 4,
  /** With more watchers, rows are batched for two milliseconds each, up to this time. */
  gatherMs: 200,
  /** Maximum size of a batch. */
  gatherBytes: 1024 * 1024,
  /** Maximum size of rows that wait for all watchers; beyond it, watchers read from the store. */
  backlogBytes: 64 * 1024 * 1024,
  /** Rows per read from the store, adjusted by their size. */
  page: { first: 50, max: 500, bytes: 4 * 1024 * 1024 },
} as const;

/** Marks the position where a watcher must read the store. */
export const storeMayHaveMore = Symbol("the store may have more");

export interface Watcher {
  readonly tenantId: string;
  readonly audience: Audience;
  readonly bundles: Outgoing<Bundle | typeof storeMayHaveMore>;
  /** Bundles that it has not received yet. */
  readonly waiting: Set<Bundle>;
  /** Its bundles were dropped: it must read them from the store. */
  mustReadStore: boolean;
  /** Its backlog was exceeded. */
  slow: boolean;
}

interface GatheredRows {
  readonly rows: EventRow[];
  bytes: number;
  timer?: NodeJS.Timeout;
}

/** Watchers that receive rows together. With many watchers, rows are batched, because each delivery costs one write per watcher. */
export class Audience {
  readonly watchers = new Set<Watcher>();
  readonly #gathered = new Map<string, GatheredRows>();
  readonly #deliver: (watcher: Watcher, bundle: Bundle) => void;

  constructor(deliver: (watcher: Watcher, bundle: Bundle) => void) {
    this.#deliver = deliver;
  }

  publish(rows: readonly EventRow[]): void {
    const { size } = this.watchers;
    if (size === 0) return;
    for (const row of rows) {
      this.#gather(row, Math.min(watchLimits.gatherMs, 2 * size));
      // Rows that were gathered for more watchers go first.
      if (size <= watchLimits.few) this.#flush(row.tenantId);
    }
  }

  flush(): void {
    for (const tenantId of [...this.#gathered.keys()]) this.#flush(tenantId);
  }

  #gather(row: EventRow, forMs: number): void {
    const { tenantId } = row;
    const gathered = this.#gathered.get(tenantId) ?? { rows: [], bytes: 0 };
    if (gathered.rows.length === 0) {
      this.#gathered.set(tenantId, gathered);
      gathered.timer = setTimeout(() => this.#flush(tenantId), forMs);
    }
    gathered.rows.push(row);
    gathered.bytes += row.events.length;
    if (gathered.bytes > watchLimits.gatherBytes) this.#flush(tenantId);
  }

  #flush(tenantId: string): void {
    const gathered = this.#gathered.get(tenantId);
    if (!gathered) return;
    clearTimeout(gathered.timer);
    this.#gathered.delete(tenantId);
    for (const watcher of this.watchers)
      if (watcher.tenantId === tenantId) this.#deliver(watcher, gathered.rows);
  }
}

/** Size of waiting bundles. Watchers share bundles, which count once. */
export class Backlog {
  readonly #watchersOf = new Map<Bundle, number>();
  bytes = 0;

  add(bundle: Bundle): void {
    const count = this.#watchersOf.get(bundle) ?? 0;
    if (count === 0) this.bytes += bytesOf(bundle);
    this.#watchersOf.set(bundle, count + 1);
  }

  remove(bundle: Bundle): void {
    const count = this.#watchersOf.get(bundle) ?? 0;
    if (count > 1) this.#watchersOf.set(bundle, count - 1);
    else if (this.#watchersOf.delete(bundle)) this.bytes -= bytesOf(bundle);
  }
}
