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
import { HubError } from "./hub-error.ts";

export const watchLimits = {
  /** Rows that wait for one watcher; a slower one is told from where to go on. */
  backlog: 1_000,
  /** Rows that wait for any watcher, by their size; who has to wait beyond that reads them from the store. */
  backlogBytes: 64 * 1024 * 1024,
  /** Events that are read from the store at once: few at first, then as many as are not too large together. */
  page: { first: 50, most: 500, bytes: 4 * 1024 * 1024 },
} as const;

/** Stands among the rows of a watcher where it has to read the store again. */
const storeMayHaveMore = Symbol("the store may have more");

type EventField = "pipelineId" | "stageId" | "dispatchId" | "packId" | "instanceId" | "type";

const fields: FieldTable<EventField> = {
  pipeline_id: { field: "pipelineId", holds: "text" },
  stage_id: { field: "stageId", holds: "text" },
  dispatch_id: { field: "dispatchId", holds: "text" },
  pack_id: { field: "packId", holds: "text" },
  instance_id: { field: "instanceId", holds: "text" },
  type: { field: "type", holds: "text" },
};

/** Who has, or had, an attempt. */
export type AgentOf = (
  tenantId: string,
  dispatchId: string,
) => Promise<{ readonly packId: string; readonly instanceId: string }>;

export interface WatchersParts {
  readonly store: Store;
  readonly redactor: Redactor;
  readonly lastEvent: (tenantId: string) => bigint;
  readonly agentOf?: AgentOf;
  readonly backlogBytes?: number;
}

const nobody: AgentOf = async () => ({ packId: "", instanceId: "" });

/** Hands what was stored to those who watch. */
export class Watchers {
  readonly #watchers = new Set<Watcher>();
  readonly #backlog = new Backlog();
  readonly #backlogBytes: number;
  readonly #store: Store;
  readonly #redactor: Redactor;
  readonly #lastEvent: (tenantId: string) => bigint;
  readonly #agentOf: AgentOf;
  #closed = false;

  constructor({
    store,
    redactor,
    lastEvent,
    agentOf = nobody,
    backlogBytes = watchLimits.backlogBytes,
  }: WatchersParts) {
    this.#store = store;
    this.#backlogBytes = backlogBytes;
    this.#redactor = redactor;
    this.#lastEvent = lastEvent;
    this.#agentOf = agentOf;
  }

  /** Never waits for a watcher. */
  publish(rows: readonly EventRow[]): void {
    for (const watcher of this.#watchers) {
      for (const row of rows) if (row.tenantId === watcher.tenantId) this.#hand(watcher, row);
    }
  }

  /** Bytes of rows that wait for watchers. */
  get backlogBytes(): number {
    return this.#backlog.bytes;
  }

  /** The store may have taken a batch whose answer got lost: nobody was told of its events. */
  lookAgain(): void {
    for (const watcher of this.#watchers) this.#sendToStore(watcher);
  }

  #hand(watcher: Watcher, row: EventRow): void {
    // It reads the store when it comes to that, and finds this row there too.
    if (watcher.mustReadStore) return;
    if (this.#backlog.bytes + row.events.length > this.#backlogBytes) return this.#sendToStore(watcher);
    if (!push(watcher, row)) return;
    this.#backlog.add(row);
    watcher.waiting.add(row);
  }

  #sendToStore(watcher: Watcher): void {
    if (watcher.mustReadStore) return;
    watcher.mustReadStore = true;
    push(watcher, storeMayHaveMore);
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
    const watcher: Watcher = {
      tenantId,
      rows: new Outgoing(watchLimits.backlog),
      waiting: new Set(),
      mustReadStore: false,
      slow: false,
    };
    // It hears what is stored from here on, before it reads what was stored up to now.
    this.#watchers.add(watcher);
    const stop = () => watcher.rows.end();
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted || this.#closed) stop();
    let last = afterSequence ?? this.#lastEvent(tenantId);
    const store = this.#store;
    const show = async (row: EventRow) => {
      // Who has seen nothing begins with what there is; everybody else would not notice what is gone.
      if (last > 0n && row.firstSequence > last + 1n) throw gone(last, row.firstSequence);
      const events = readEvents(row, (about) => about.sequence > last && matches.about(about));
      if (row.lastSequence > last) last = row.lastSequence;
      const wanted = events.filter(matches.whole);
      if (!matches.agent) return wanted.map((record) => this.#show(record));
      const shown: WatchEventsResponse[] = [];
      for (const record of wanted) {
        const agent = await available(this.#agentOf(tenantId, record.dispatchId));
        if (matches.agent(agent)) shown.push(this.#show(record));
      }
      return shown;
    };
    async function* stored() {
      const { first, most, bytes } = watchLimits.page;
      for (let page: number = first; ; ) {
        const rows = await available(store.events(tenantId, last, page));
        for (const row of rows) yield* await show(row);
        if (rows.length === 0 || signal.aborted) return;
        const isMuch = rows.reduce((sum, row) => sum + row.events.length, 0) > bytes;
        page = isMuch ? Math.max(1, page >> 2) : Math.min(most, page * 2);
      }
    }
    try {
      await this.#refuseBeyond(tenantId, last);
      yield* stored();
      yield create(WatchEventsResponseSchema, { message: { case: "caughtUp", value: { sequence: last } } });
      for await (const row of watcher.rows) {
        if (signal.aborted) return;
        if (row === storeMayHaveMore) {
          watcher.mustReadStore = false;
          yield* stored();
        } else {
          watcher.waiting.delete(row);
          this.#backlog.remove(row);
          yield* await show(row);
        }
      }
      if (watcher.slow) yield dropped(last);
    } finally {
      signal.removeEventListener("abort", stop);
      this.#watchers.delete(watcher);
      for (const row of watcher.waiting) this.#backlog.remove(row);
    }
  }

  /** Whoever knows a number that was never given has it from another store, and would wait for ever. */
  async #refuseBeyond(tenantId: string, after: bigint): Promise<void> {
    const end = this.#lastEvent(tenantId);
    if (after <= end) return;
    // The store may have more than the hub was told of.
    const [row] = await available(this.#store.events(tenantId, after - 1n, 1));
    if (row === undefined) throw beyond(after, end);
  }

  /** Agents write what they like; what leaves the hub has no secrets in it. */
  #show(record: EventRecord): WatchEventsResponse {
    const { message } = this.#redactor.redactMessage(EventRecordSchema, record);
    return create(WatchEventsResponseSchema, { message: { case: "record", value: message } });
  }
}

interface Watcher {
  readonly tenantId: string;
  readonly rows: Outgoing<EventRow | typeof storeMayHaveMore>;
  /** Those of its rows that it has not taken yet. */
  readonly waiting: Set<EventRow>;
  /** There is no room for its rows: it has to read them from the store. */
  mustReadStore: boolean;
  slow: boolean;
}

/** A watcher for whom there are too many is told from where to go on. */
function push(watcher: Watcher, row: EventRow | typeof storeMayHaveMore): boolean {
  if (watcher.rows.push(row)) return true;
  watcher.slow = true;
  watcher.rows.end();
  return false;
}

/** Rows that wait for watchers. Many may wait for the same row, which is in memory once. */
class Backlog {
  readonly #watchersOf = new Map<EventRow, number>();
  bytes = 0;

  add(row: EventRow): void {
    const count = this.#watchersOf.get(row) ?? 0;
    if (count === 0) this.bytes += row.events.length;
    this.#watchersOf.set(row, count + 1);
  }

  remove(row: EventRow): void {
    const count = this.#watchersOf.get(row) ?? 0;
    if (count > 1) this.#watchersOf.set(row, count - 1);
    else if (this.#watchersOf.delete(row)) this.bytes -= row.events.length;
  }
}

function dropped(last: bigint): WatchEventsResponse {
  const reason = `more than ${watchLimits.backlog} changes were waiting`;
  return create(WatchEventsResponseSchema, {
    message: { case: "dropped", value: { resumeAfterSequence: last, reason } },
  });
}

function gone(last: bigint, first: bigint): HubError {
  const message = `events ${last + 1n} to ${first - 1n} were removed because they were old; the first that is left is ${first}`;
  const violations = [{ field: "after_sequence", rule: "BATON-QUERY-003", message }];
  return new HubError("precondition", "BATON-QUERY-003", message, {
    fix: `read again what you show, and go on after ${first - 1n}`,
    violations,
  });
}

function beyond(after: bigint, end: bigint): HubError {
  const message = `there is no event ${after} yet: the last one is ${end}`;
  const violations = [{ field: "after_sequence", rule: "BATON-QUERY-002", message }];
  return new HubError("precondition", "BATON-QUERY-002", message, {
    fix: `read again what you show, and go on after ${end}; 0 begins with the first event there is`,
    violations,
  });
}

/** Most of a filter can be asked before an event is made of what is stored. */
function matcher(filter: string) {
  const comparisons = parseFilter(filter, fields);
  if (comparisons.some(({ operator }) => operator !== "=" && operator !== "!="))
    throw badQuery("filter", "events are compared with = and != only");
  const holds = (found: string, { operator, value }: (typeof comparisons)[number]) =>
    operator === "!=" ? found !== value : found === value;
  const ofAgent = comparisons.filter(({ field }) => field === "packId" || field === "instanceId");
  return {
    about: (about: About) =>
      comparisons.every(
        (one) => !(one.field in about) || holds(about[one.field as keyof About] as string, one),
      ),
    whole: (record: EventRecord) =>
      comparisons.every((one) => one.field !== "type" || holds(typeOf(record), one)),
    /** Costs a look into the pipeline; absent when the filter does not ask. */
    agent:
      ofAgent.length === 0
        ? undefined
        : (agent: Awaited<ReturnType<AgentOf>>) =>
            ofAgent.every((one) => holds(agent[one.field as keyof typeof agent], one)),
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
