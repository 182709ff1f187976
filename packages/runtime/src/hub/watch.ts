import {
  type WatchEventsRequest,
  type WatchEventsResponse,
  WatchEventsResponseSchema,
} from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { Outgoing } from "../agents/attached/outgoing.ts";
import type { Filter } from "../filter/filter.ts";
import type { EventRow, Store } from "../ports/store.ts";
import { available } from "./context.ts";
import { findBeginning } from "./find-beginning.ts";
import { type Bundle, bytesOf, type EventList, ShownEvents, WholeBundle } from "./shown-events.ts";
import { type AgentOf, type AgentWanted, readWatchFilter } from "./watch-filter.ts";
import { beyond, gone } from "./watch-refusals.ts";

export const watchLimits = {
  /** Bundles of rows that wait for one watcher; a slower one is told from where to go on. */
  backlog: 1_000,
  /** Up to so many watchers are told at once. */
  few: 4,
  /** What many watch is gathered for two milliseconds for each, and not longer than this. */
  gatherMs: 200,
  /** More than this is not gathered. */
  gatherBytes: 1024 * 1024,
  /** Rows that wait for any watcher, by their size; who has to wait beyond that reads them from the store. */
  backlogBytes: 64 * 1024 * 1024,
  /** Events that are read from the store at once: few at first, then as many as are not too large together. */
  page: { first: 50, most: 500, bytes: 4 * 1024 * 1024 },
} as const;

/** Stands among the rows of a watcher where it has to read the store again. */
const storeMayHaveMore = Symbol("the store may have more");

export interface WatchersParts {
  readonly store: Store;
  readonly filter: Filter;
  readonly lastEvent: (tenantId: string) => bigint;
  readonly agentOf?: AgentOf;
  readonly backlogBytes?: number;
}

const nobody: AgentOf = async () => ({ packId: "", instanceId: "" });

/** Hands what was stored to those who watch. */
export class Watchers {
  /** Who is told much together makes nobody else wait: who waits for the end of one pipeline hears of it at once. */
  readonly #ofEverything = new Crowd();
  readonly #ofSome = new Crowd();
  readonly #backlog = new Backlog();
  readonly #backlogBytes: number;
  readonly #store: Store;
  readonly #shown: ShownEvents;
  readonly #lastEvent: (tenantId: string) => bigint;
  readonly #agentOf: AgentOf;
  #closed = false;

  constructor({
    store,
    filter,
    lastEvent,
    agentOf = nobody,
    backlogBytes = watchLimits.backlogBytes,
  }: WatchersParts) {
    this.#store = store;
    this.#backlogBytes = backlogBytes;
    this.#shown = new ShownEvents(filter);
    this.#lastEvent = lastEvent;
    this.#agentOf = agentOf;
  }

  get #crowds(): readonly Crowd[] {
    return [this.#ofEverything, this.#ofSome];
  }

  /** Never waits for a watcher. */
  publish(rows: readonly EventRow[]): void {
    for (const crowd of this.#crowds) this.#tell(crowd, rows);
  }

  #tell(crowd: Crowd, rows: readonly EventRow[]): void {
    const { size } = crowd.watchers;
    if (size === 0) return;
    for (const row of rows) {
      this.#gather(crowd, row, Math.min(watchLimits.gatherMs, 2 * size));
      // What was gathered while there were more of them goes first.
      if (size <= watchLimits.few) this.#handGathered(crowd, row.tenantId);
    }
  }

  /** To write to a hundred costs a hundred times as much: what comes within a moment is written together. */
  #gather(crowd: Crowd, row: EventRow, forMs: number): void {
    const { tenantId } = row;
    const gathered = crowd.gathered.get(tenantId) ?? { rows: [], bytes: 0 };
    if (gathered.rows.length === 0) {
      crowd.gathered.set(tenantId, gathered);
      gathered.timer = setTimeout(() => this.#handGathered(crowd, tenantId), forMs);
    }
    gathered.rows.push(row);
    gathered.bytes += row.events.length;
    if (gathered.bytes > watchLimits.gatherBytes) this.#handGathered(crowd, tenantId);
  }

  #handGathered(crowd: Crowd, tenantId: string): void {
    const gathered = crowd.gathered.get(tenantId);
    if (!gathered) return;
    clearTimeout(gathered.timer);
    crowd.gathered.delete(tenantId);
    for (const watcher of crowd.watchers)
      if (watcher.tenantId === tenantId) this.#hand(watcher, gathered.rows);
  }

  /** Bytes of rows that wait for watchers. */
  get backlogBytes(): number {
    return this.#backlog.bytes;
  }

  /** The store may have taken a batch whose answer got lost: nobody was told of its events. */
  lookAgain(): void {
    for (const { watchers } of this.#crowds) for (const watcher of watchers) this.#sendToStore(watcher);
  }

  #hand(watcher: Watcher, bundle: Bundle): void {
    // It reads the store when it comes to that, and finds these rows there too.
    if (watcher.mustReadStore) return;
    if (this.#backlog.bytes + bytesOf(bundle) > this.#backlogBytes) return this.#sendToStore(watcher);
    if (!watcher.bundles.push(bundle)) return this.#drop(watcher);
    this.#backlog.add(bundle);
    watcher.waiting.add(bundle);
  }

  /** It is told from where to go on, when it reads again. Until then nothing is kept for it: it may never do so. */
  #drop(watcher: Watcher): void {
    watcher.slow = true;
    watcher.crowd.watchers.delete(watcher);
    watcher.bundles.cut();
    this.#release(watcher);
  }

  #release({ waiting }: Watcher): void {
    for (const bundle of waiting) this.#backlog.remove(bundle);
    waiting.clear();
  }

  #sendToStore(watcher: Watcher): void {
    if (watcher.mustReadStore) return;
    watcher.mustReadStore = true;
    if (!watcher.bundles.push(storeMayHaveMore)) this.#drop(watcher);
  }

  close(): void {
    this.#closed = true;
    for (const crowd of this.#crowds) {
      for (const tenantId of [...crowd.gathered.keys()]) this.#handGathered(crowd, tenantId);
      for (const { bundles } of crowd.watchers) bundles.end();
      // What is stored from here on is for nobody: who has ended is not slow.
      crowd.watchers.clear();
    }
  }

  /** First what is stored, then what happens; nothing twice and nothing left out. */
  async *watch(
    tenantId: string,
    request: WatchEventsRequest,
    signal: AbortSignal,
  ): AsyncIterable<WatchEventsResponse> {
    for await (const several of this.watchTogether(tenantId, request, signal))
      yield* several instanceof WholeBundle ? several.messages : several;
  }

  /** The same, with all that came together in one list. Those who want everything are given the very same lists. */
  async *watchTogether(
    tenantId: string,
    { afterSequence, filter }: WatchEventsRequest,
    signal: AbortSignal,
  ): AsyncIterable<EventList> {
    const wanted = readWatchFilter(filter);
    const crowd = wanted.all ? this.#ofEverything : this.#ofSome;
    const watcher: Watcher = {
      tenantId,
      crowd,
      bundles: new Outgoing(watchLimits.backlog),
      waiting: new Set(),
      mustReadStore: false,
      slow: false,
    };
    // It hears what is stored from here on, before it reads what was stored up to now.
    crowd.watchers.add(watcher);
    const stop = () => {
      crowd.watchers.delete(watcher);
      watcher.bundles.end();
    };
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted || this.#closed) stop();
    let last = afterSequence ?? this.#lastEvent(tenantId);
    let hasSeenSome = last > 0n;
    const store = this.#store;
    const show = async (bundle: Bundle) => {
      const firstSequence = bundle[0]?.firstSequence ?? 0n;
      // Who has seen nothing begins with what there is; everybody else would not notice what is gone.
      if (hasSeenSome && firstSequence > last + 1n) throw gone(last, firstSequence);
      hasSeenSome = true;
      const events = this.#shown.of(bundle, last, wanted);
      const { lastSequence = last } = bundle.at(-1) ?? {};
      if (lastSequence > last) last = lastSequence;
      return wanted.agent ? this.#ofAgent(tenantId, events, wanted.agent) : events;
    };
    async function* stored() {
      const { first, most, bytes } = watchLimits.page;
      for (let page: number = first; ; ) {
        const rows = await available(store.events(tenantId, last, page));
        for (const row of rows) {
          const events = await show([row]);
          if (hasSome(events)) yield events;
        }
        if (rows.length === 0 || signal.aborted) return;
        page = bytesOf(rows) > bytes ? Math.max(1, page >> 2) : Math.min(most, page * 2);
      }
    }
    try {
      await this.#refuseBeyond(tenantId, last);
      if (wanted.pipelineId !== undefined) {
        const end = this.#lastEvent(tenantId);
        last = await available(
          findBeginning(store, { tenantId, pipelineId: wanted.pipelineId, after: last, end }),
        );
      }
      yield* stored();
      yield [create(WatchEventsResponseSchema, { message: { case: "caughtUp", value: { sequence: last } } })];
      for await (const bundle of watcher.bundles) {
        if (signal.aborted) return;
        if (bundle === storeMayHaveMore) {
          watcher.mustReadStore = false;
          yield* stored();
        } else {
          if (watcher.waiting.delete(bundle)) this.#backlog.remove(bundle);
          const events = await show(bundle);
          if (hasSome(events)) yield events;
        }
      }
      if (watcher.slow) yield [dropped(last)];
    } finally {
      signal.removeEventListener("abort", stop);
      crowd.watchers.delete(watcher);
      this.#release(watcher);
    }
  }

  async #ofAgent(
    tenantId: string,
    events: EventList,
    isWanted: NonNullable<AgentWanted["agent"]>,
  ): Promise<readonly WatchEventsResponse[]> {
    const shown: WatchEventsResponse[] = [];
    for (const event of events) {
      const dispatchId = event.message.case === "record" ? event.message.value.dispatchId : "";
      if (isWanted(await available(this.#agentOf(tenantId, dispatchId)))) shown.push(event);
    }
    return shown;
  }

  /** Whoever knows a number that was never given has it from another store, and would wait for ever. */
  async #refuseBeyond(tenantId: string, after: bigint): Promise<void> {
    const end = this.#lastEvent(tenantId);
    if (after <= end) return;
    // The store may have more than the hub was told of.
    const [row] = await available(this.#store.events(tenantId, after - 1n, 1));
    if (row === undefined) throw beyond(after, end);
  }
}

interface Gathered {
  readonly rows: EventRow[];
  bytes: number;
  timer?: NodeJS.Timeout;
}

/** Those who are told together. */
class Crowd {
  readonly watchers = new Set<Watcher>();
  /** What is gathered for the tenants that many watch. */
  readonly gathered = new Map<string, Gathered>();
}

interface Watcher {
  readonly tenantId: string;
  readonly crowd: Crowd;
  readonly bundles: Outgoing<Bundle | typeof storeMayHaveMore>;
  /** Those of its bundles that it has not taken yet. */
  readonly waiting: Set<Bundle>;
  /** There is no room for its bundles: it has to read them from the store. */
  mustReadStore: boolean;
  /** Too much waited for it. */
  slow: boolean;
}

/** What waits for watchers. Many may wait for the same bundle, which is in memory once. */
class Backlog {
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

/** Of a bundle that is wanted whole it is known without a look. */
function hasSome(events: EventList): boolean {
  return !Array.isArray(events) || events.length > 0;
}

function dropped(last: bigint): WatchEventsResponse {
  const reason = `more than ${watchLimits.backlog} changes were waiting`;
  return create(WatchEventsResponseSchema, {
    message: { case: "dropped", value: { resumeAfterSequence: last, reason } },
  });
}
