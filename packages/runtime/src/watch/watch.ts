import {
  type WatchEventsRequest,
  type WatchEventsResponse,
  WatchEventsResponseSchema,
} from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import type { AgentOf } from "../engine/agent-of.ts";
import { findStart } from "../events/find-start.ts";
import { Outgoing } from "../lib/outgoing.ts";
import { available } from "../ports/available.ts";
import { HubError } from "../ports/hub-error.ts";
import type { EventRow, Store } from "../ports/store.ts";
import type { EgressFilter } from "../redaction/egress-filter.ts";
import { Audience, Backlog, storeMayHaveMore, type Watcher, watchLimits } from "./audience.ts";
import { type Bundle, bytesOf, type EventList, VisibleEvents, WholeBundle } from "./visible-events.ts";
import { type AgentSelection, readWatchFilter } from "./watch-filter.ts";

export interface WatchersParts {
  readonly store: Store;
  readonly filter: EgressFilter;
  readonly lastEvent: (tenantId: string) => bigint;
  readonly agentOf?: AgentOf;
  readonly backlogBytes?: number;
}

const noAgent: AgentOf = async () => ({ packId: "", instanceId: "" });

/** Delivers stored events to watchers. */
export class Watchers {
  /** Separate audiences: batching for watchers of everything must not delay watchers of one pipeline. */
  readonly #ofEverything = new Audience((watcher, bundle) => this.#deliver(watcher, bundle));
  readonly #ofSome = new Audience((watcher, bundle) => this.#deliver(watcher, bundle));
  readonly #backlog = new Backlog();
  readonly #backlogBytes: number;
  readonly #store: Store;
  readonly #visible: VisibleEvents;
  readonly #lastEvent: (tenantId: string) => bigint;
  readonly #agentOf: AgentOf;
  #closed = false;

  constructor({
    store,
    filter,
    lastEvent,
    agentOf = noAgent,
    backlogBytes = watchLimits.backlogBytes,
  }: WatchersParts) {
    this.#store = store;
    this.#backlogBytes = backlogBytes;
    this.#visible = new VisibleEvents(filter);
    this.#lastEvent = lastEvent;
    this.#agentOf = agentOf;
  }

  get #audiences(): readonly Audience[] {
    return [this.#ofEverything, this.#ofSome];
  }

  /** Never waits for a watcher. */
  publish(rows: readonly EventRow[]): void {
    for (const audience of this.#audiences) audience.publish(rows);
  }

  /** Size of rows that wait for watchers. */
  get backlogBytes(): number {
    return this.#backlog.bytes;
  }

  /** Called when the answer of a commit was lost: the store may have events that were not published. */
  rereadStore(): void {
    for (const { watchers } of this.#audiences) for (const watcher of watchers) this.#sendToStore(watcher);
  }

  #deliver(watcher: Watcher, bundle: Bundle): void {
    // It will read these rows from the store.
    if (watcher.mustReadStore) return;
    if (this.#backlog.bytes + bytesOf(bundle) > this.#backlogBytes) return this.#sendToStore(watcher);
    if (!watcher.bundles.push(bundle)) return this.#drop(watcher);
    this.#backlog.add(bundle);
    watcher.waiting.add(bundle);
  }

  /** The watcher receives its position when it reads again. Nothing is retained until then. */
  #drop(watcher: Watcher): void {
    watcher.slow = true;
    watcher.audience.watchers.delete(watcher);
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
    for (const audience of this.#audiences) {
      audience.flush();
      for (const { bundles } of audience.watchers) bundles.end();
      // Later rows have no watchers, so none counts as slow.
      audience.watchers.clear();
    }
  }

  /** Stored events, then new ones, without gaps or duplicates. */
  async *watch(
    tenantId: string,
    request: WatchEventsRequest,
    signal: AbortSignal,
  ): AsyncIterable<WatchEventsResponse> {
    for await (const several of this.watchTogether(tenantId, request, signal))
      yield* several instanceof WholeBundle ? several.messages : several;
  }

  /** The same in lists. Watchers of everything share the list objects. */
  async *watchTogether(
    tenantId: string,
    { afterSequence, filter }: WatchEventsRequest,
    signal: AbortSignal,
  ): AsyncIterable<EventList> {
    const selection = readWatchFilter(filter);
    const audience = selection.all ? this.#ofEverything : this.#ofSome;
    const watcher: Watcher = {
      tenantId,
      audience,
      bundles: new Outgoing(watchLimits.backlog),
      waiting: new Set(),
      mustReadStore: false,
      slow: false,
    };
    // Registered before the first read, so that no row is missed.
    audience.watchers.add(watcher);
    const stop = () => {
      audience.watchers.delete(watcher);
      watcher.bundles.end();
    };
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted || this.#closed) stop();
    let last = afterSequence ?? this.#lastEvent(tenantId);
    let isResuming = last > 0n;
    const store = this.#store;
    const visible = async (bundle: Bundle) => {
      const firstSequence = bundle[0]?.firstSequence ?? 0n;
      // A new watcher starts with the oldest event; others must learn about removed events.
      if (isResuming && firstSequence > last + 1n) throw eventsRemoved(last, firstSequence);
      isResuming = true;
      const events = this.#visible.of(bundle, last, selection);
      const { lastSequence = last } = bundle.at(-1) ?? {};
      if (lastSequence > last) last = lastSequence;
      return selection.agent ? this.#ofAgent(tenantId, events, selection.agent) : events;
    };
    async function* stored() {
      const { first, max, bytes } = watchLimits.page;
      for (let page: number = first; ; ) {
        const rows = await available(store.events(tenantId, last, page));
        for (const row of rows) {
          const events = await visible([row]);
          if (isNotEmpty(events)) yield events;
        }
        if (rows.length === 0 || signal.aborted) return;
        page = bytesOf(rows) > bytes ? Math.max(1, page >> 2) : Math.min(max, page * 2);
      }
    }
    try {
      await this.#refuseBeyond(tenantId, last);
      if (selection.pipelineId !== undefined) {
        const end = this.#lastEvent(tenantId);
        last = await available(
          findStart(store, { tenantId, pipelineId: selection.pipelineId, after: last, end }),
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
          const events = await visible(bundle);
          if (isNotEmpty(events)) yield events;
        }
      }
      if (watcher.slow) yield [dropped(last)];
    } finally {
      signal.removeEventListener("abort", stop);
      audience.watchers.delete(watcher);
      this.#release(watcher);
    }
  }

  async #ofAgent(
    tenantId: string,
    events: EventList,
    isWanted: NonNullable<AgentSelection["agent"]>,
  ): Promise<readonly WatchEventsResponse[]> {
    const selected: WatchEventsResponse[] = [];
    for (const event of events) {
      const dispatchId = event.message.case === "record" ? event.message.value.dispatchId : "";
      if (isWanted(await available(this.#agentOf(tenantId, dispatchId)))) selected.push(event);
    }
    return selected;
  }

  /** A position beyond the end is from another store; waiting for it would never end. */
  async #refuseBeyond(tenantId: string, after: bigint): Promise<void> {
    const end = this.#lastEvent(tenantId);
    if (after <= end) return;
    // The store may have events that the hub does not know of.
    const [row] = await available(this.#store.events(tenantId, after - 1n, 1));
    if (row === undefined) throw noSuchEvent(after, end);
  }
}

/** A whole bundle is never empty. */
function isNotEmpty(events: EventList): boolean {
  return !Array.isArray(events) || events.length > 0;
}

function dropped(last: bigint): WatchEventsResponse {
  const reason = `more than ${watchLimits.backlog} changes were waiting`;
  return create(WatchEventsResponseSchema, {
    message: { case: "dropped", value: { resumeAfterSequence: last, reason } },
  });
}

/** Clients would not notice missing events. */
function eventsRemoved(last: bigint, first: bigint): HubError {
  const message = `events ${last + 1n} to ${first - 1n} were removed because they were old; the oldest event is ${first}`;
  return invalidPosition("BATON-QUERY-003", message, `reload your data and resume after ${first - 1n}`);
}

function noSuchEvent(after: bigint, end: bigint): HubError {
  const message = `there is no event ${after} yet: the last one is ${end}`;
  const fix = `reload your data and resume after ${end}; 0 starts with the oldest event`;
  return invalidPosition("BATON-QUERY-002", message, fix);
}

function invalidPosition(
  code: "BATON-QUERY-002" | "BATON-QUERY-003",
  message: string,
  fix: string,
): HubError {
  const violations = [{ field: "after_sequence", rule: code, message }];
  return new HubError("precondition", code, message, { fix, violations });
}
