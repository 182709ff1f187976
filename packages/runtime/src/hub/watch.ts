import {
  type EventRecord,
  EventRecordSchema,
  type WatchEventsRequest,
  type WatchEventsResponse,
  WatchEventsResponseSchema,
} from "@baton/contract";
import type { Redactor } from "@baton/kernel";
import { create } from "@bufbuild/protobuf";
import { Outgoing } from "../agents/attached/outgoing.ts";
import { type About, readEvents } from "../events/stored-events.ts";
import type { EventRow, Store } from "../ports/store.ts";
import { type FieldTable, parseFilter } from "../query/filter.ts";
import { badQuery } from "../query/problem.ts";
import { available } from "./context.ts";

export const watchLimits = {
  /** Rows that wait for one watcher; a slower one is told from where to go on. */
  backlog: 1_000,
  /** Events that are read from the store at once. */
  page: 500,
} as const;

/** Stands among the rows of a watcher where it has to read the store again. */
const storeMayHaveMore = Symbol("the store may have more");

type EventField = "pipelineId" | "stageId" | "dispatchId" | "type";

const fields: FieldTable<EventField> = {
  pipeline_id: { field: "pipelineId", holds: "text" },
  stage_id: { field: "stageId", holds: "text" },
  dispatch_id: { field: "dispatchId", holds: "text" },
  type: { field: "type", holds: "text" },
};

/** Hands what was stored to those who watch. */
export class Watchers {
  readonly #watchers = new Set<{
    readonly tenantId: string;
    readonly rows: Outgoing<EventRow | typeof storeMayHaveMore>;
    slow: boolean;
  }>();
  readonly #store: Store;
  readonly #redactor: Redactor;
  readonly #lastEvent: (tenantId: string) => bigint;
  #closed = false;

  constructor(store: Store, redactor: Redactor, lastEvent: (tenantId: string) => bigint) {
    this.#store = store;
    this.#redactor = redactor;
    this.#lastEvent = lastEvent;
  }

  /** Never waits for a watcher. */
  publish(rows: readonly EventRow[]): void {
    for (const watcher of this.#watchers) {
      for (const row of rows) {
        if (row.tenantId !== watcher.tenantId || watcher.rows.push(row)) continue;
        watcher.slow = true;
        watcher.rows.end();
      }
    }
  }

  /** The store may have taken a batch whose answer got lost: nobody was told of its events. */
  lookAgain(): void {
    for (const { rows } of this.#watchers) rows.push(storeMayHaveMore);
  }

  close(): void {
    this.#closed = true;
    for (const { rows } of this.#watchers) rows.end();
  }

  /** First what is stored, then what happens; nothing twice and nothing left out. */
  async *watch(
    tenantId: string,
    { afterSequence, filter }: WatchEventsRequest,
    signal: AbortSignal,
  ): AsyncIterable<WatchEventsResponse> {
    const matches = matcher(filter);
    const watcher = {
      tenantId,
      rows: new Outgoing<EventRow | typeof storeMayHaveMore>(watchLimits.backlog),
      slow: false,
    };
    // It hears what is stored from here on, before it reads what was stored up to now.
    this.#watchers.add(watcher);
    const stop = () => watcher.rows.end();
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted || this.#closed) stop();
    let last = afterSequence ?? this.#lastEvent(tenantId);
    const fresh = (row: EventRow) => {
      const events = readEvents(row, (about) => about.sequence > last && matches.about(about));
      if (row.lastSequence > last) last = row.lastSequence;
      return events.filter(matches.whole).map((record) => this.#show(record));
    };
    const store = this.#store;
    async function* stored() {
      for (;;) {
        const rows = await available(store.events(tenantId, last, watchLimits.page));
        for (const row of rows) yield* fresh(row);
        if (rows.length === 0 || signal.aborted) return;
      }
    }
    try {
      yield* stored();
      yield create(WatchEventsResponseSchema, { message: { case: "caughtUp", value: { sequence: last } } });
      for await (const row of watcher.rows) {
        if (signal.aborted) return;
        if (row === storeMayHaveMore) yield* stored();
        else yield* fresh(row);
      }
      if (watcher.slow) yield dropped(last);
    } finally {
      signal.removeEventListener("abort", stop);
      this.#watchers.delete(watcher);
    }
  }

  /** Agents write what they like; what leaves the hub has no secrets in it. */
  #show(record: EventRecord): WatchEventsResponse {
    const { message } = this.#redactor.redactMessage(EventRecordSchema, record);
    return create(WatchEventsResponseSchema, { message: { case: "record", value: message } });
  }
}

function dropped(last: bigint): WatchEventsResponse {
  const reason = `more than ${watchLimits.backlog} changes were waiting`;
  return create(WatchEventsResponseSchema, {
    message: { case: "dropped", value: { resumeAfterSequence: last, reason } },
  });
}

/** Most of a filter can be asked before an event is made of what is stored. */
function matcher(filter: string) {
  const comparisons = parseFilter(filter, fields);
  if (comparisons.some(({ operator }) => operator !== "=" && operator !== "!="))
    throw badQuery("filter", "events are compared with = and != only");
  const holds = (found: string, { operator, value }: (typeof comparisons)[number]) =>
    operator === "!=" ? found !== value : found === value;
  return {
    about: (about: About) => comparisons.every((one) => one.field === "type" || holds(about[one.field], one)),
    whole: (record: EventRecord) =>
      comparisons.every((one) => one.field !== "type" || holds(typeOf(record), one)),
  };
}

/** As SAOP names it. */
function typeOf({ event }: EventRecord): string {
  return types[event?.payload.case ?? ""] ?? "";
}

const types: Readonly<Record<string, string>> = {
  thoughtStream: "THOUGHT_STREAM",
  toolInvoked: "TOOL_LIFECYCLE_INVOKED",
  toolCompleted: "TOOL_LIFECYCLE_COMPLETED",
  taskTransition: "TASK_TRANSITION",
  sandboxPulse: "SANDBOX_PULSE",
};
