import { type AuditEntry, AuditEventType, type EventRecord, type Pipeline } from "@baton/contract/forms";
import { type Timestamp, timestampFromMs, timestampMs } from "@bufbuild/protobuf/wkt";
import { followPipeline, type Watcher } from "../follow/follow-pipeline.ts";
import type { Hub } from "../hub/connect-hub.ts";
import { all, quote } from "../hub/filter.ts";
import { isTransient } from "../hub/transient-errors.ts";
import { limits } from "../limits.ts";
import { listEntriesIfAllowed } from "../queries/list-entries.ts";
import type { RunState } from "../queries/run-state.ts";
import { pause } from "../terminal/pause.ts";
import { BoundedQueue } from "./bounded-queue.ts";
import { EntryPrinter } from "./entry-printer.ts";
import { EventPrinter, type Extra, type PrintedEvent } from "./event-printer.ts";
import type { StoryLine, TimedLine } from "./story-line.ts";

export interface StoryOptions {
  readonly hub: Hub;
  readonly pipeline: Pipeline;
  readonly signal: AbortSignal;
  /** Ends also when the run waits for a person. */
  readonly untilItWaits: boolean;
  /** Events to print besides completed tools. */
  readonly extras: readonly Extra[];
  readonly print: (printing: TimedLine) => Promise<void>;
  readonly watcher?: Partial<Omit<Watcher, "onMessage">>;
  /** Called with each event when it is received, which may be before it is printed, and with each audit entry. */
  readonly onEvent?: (event: EventRecord) => void;
  readonly onEntry?: (entry: AuditEntry) => void;
  /** The key may not read the audit record: the story is printed from events alone. */
  readonly onNoRecord?: () => void;
}

/**
 * Prints a run until it ends or waits: what the hub decided, from the audit record, merged with what the agents did, from
 * the events. A slow reader does not slow down the run.
 */
export async function printStory(options: StoryOptions): Promise<RunState> {
  const { hub, pipeline, untilItWaits, watcher = {} } = options;
  const events = new BoundedQueue<EventRecord>(limits.bufferedEvents);
  const stop = new AbortController();
  const signal = AbortSignal.any([options.signal, stop.signal]);
  const following = followPipeline({
    hub,
    pipeline,
    signal,
    untilItWaits,
    watcher: {
      onState: (onState) => {
        watcher.onState?.(onState);
        events.wakeUp(); // An audit entry may come without an event, such as a question to a person.
      },
      onMessage: async ({ message }) => {
        if (message.case !== "record") return;
        options.onEvent?.(message.value);
        await events.put(message.value);
      },
      onDisconnect: () => watcher.onDisconnect?.(),
      onReconnect: () => watcher.onReconnect?.(),
    },
  }).finally(() => events.close());
  const printing = new StoryPrinter(options, events).run().catch((error: unknown) => {
    stop.abort(error);
    throw error;
  });
  const [onState] = await Promise.all([following, printing]);
  return onState;
}

/**
 * Merges audit entries and events.
 *
 * S1. Entries keep the order of the record, and events the order of the stream.
 * S2. The events of an attempt are printed after its dispatch and before its answer, also when the hub receives the last
 *     ones after the answer. Later ones are dropped.
 * S3. Entries and events are ordered by time. An entry that is newer than every event waits for the next event, or for the
 *     settle time.
 * S4. The choice of an agent is printed after the transitions that led to it and before the one that sends the task, although
 *     the hub stores all of them in one transaction.
 */
class StoryPrinter {
  readonly #options: StoryOptions;
  readonly #events: BoundedQueue<EventRecord>;
  readonly #entries = new EntryPrinter();
  #agentEvents: EventPrinter;
  /** Dispatches whose sending event has been received. */
  readonly #sent = new Set<string>();
  /** Dispatches whose answer is printed. */
  readonly #answered = new Set<string>();
  /** Entries that wait for the events before them. */
  #waiting: readonly AuditEntry[] = [];
  /** When the last received event was stored. */
  #newestEventAt: Timestamp = timestampFromMs(0);
  #lastSequence = 0n;
  /** The packs that worked on the run, and since when. */
  readonly #packs = new Set<string>();
  #since: Timestamp | undefined;
  #hasRecord = true;

  constructor(options: StoryOptions, events: BoundedQueue<EventRecord>) {
    this.#options = options;
    this.#events = events;
    this.#agentEvents = new EventPrinter(new Set(options.extras));
  }

  async run(): Promise<void> {
    while (true) {
      const taken = await this.#events.takeAll(this.#waiting.length > 0 ? limits.settleMs : undefined);
      const events = typeof taken === "string" ? [] : taken;
      this.#newestEventAt = events.at(-1)?.recordedAt ?? this.#newestEventAt;
      // The entries that caused these events are in the record by now.
      const entries = [...this.#waiting, ...(taken === "late" ? [] : await this.#readRecord())];
      this.#lastSequence = entries.at(-1)?.sequence ?? this.#lastSequence;
      for (const event of events) if (isDispatch(event)) this.#sent.add(event.dispatchId);
      const waits = typeof taken === "string" ? -1 : entries.findIndex((entry) => this.#mustWait(entry));
      this.#waiting = waits < 0 ? [] : entries.slice(waits);
      await this.#printInOrder(entries.slice(0, entries.length - this.#waiting.length), events);
      if (taken === "closed") return;
    }
  }

  /** The entry is newer than every event, or is the choice of an agent whose transitions are not received yet. */
  #mustWait({ eventType, dispatchId, timestamp }: AuditEntry): boolean {
    if (isBefore(this.#newestEventAt, timestamp)) return true;
    if (eventType !== AuditEventType.DISPATCH_DECISION || dispatchId === "") return false;
    const sinceMs = timestampMs(this.#newestEventAt) - (timestamp ? timestampMs(timestamp) : 0);
    return !this.#sent.has(dispatchId) && sinceMs < limits.settleMs;
  }

  async #printInOrder(entries: readonly AuditEntry[], events: readonly EventRecord[]): Promise<void> {
    let remaining = events;
    const printMatching = async (fits: (event: EventRecord) => boolean) => {
      for (const event of remaining.filter(fits)) await this.#printEvent(event);
      remaining = remaining.filter((event) => !fits(event));
    };
    for (const entry of entries) {
      await printMatching(({ recordedAt }) => isBefore(recordedAt, entry.timestamp));
      const sending = remaining.findIndex(
        (event) => isDispatch(event) && event.dispatchId === entry.dispatchId,
      );
      if (entry.eventType === AuditEventType.DISPATCH_DECISION && sending > 0) {
        const before = new Set(remaining.slice(0, sending));
        await printMatching((event) => before.has(event));
      }
      if (entry.eventType === AuditEventType.RESULT_RECEIVED) {
        await this.#settle(entry);
        await printMatching((event) => event.dispatchId === entry.dispatchId && !isTransition(event));
        await this.#printRestOfWork(entry);
      }
      await this.#printAll(this.#entries.print(entry), entry.stageId, entry.timestamp);
    }
    await printMatching(() => true);
  }

  async #readRecord(): Promise<readonly AuditEntry[]> {
    if (!this.#hasRecord) return [];
    const { hub, pipeline, signal, extras, onNoRecord, onEntry } = this.#options;
    const isNew = `sequence > ${this.#lastSequence}`;
    try {
      const own = await listEntriesIfAllowed(
        hub,
        all(`pipeline_id = ${quote(pipeline.pipelineId)}`, isNew),
        signal,
      );
      if (own !== undefined) {
        const entries = [...own, ...(own.length > 0 ? await this.#readFleet(own, isNew) : [])].toSorted(
          (a, b) => Number(a.sequence - b.sequence),
        );
        if (onEntry !== undefined) entries.forEach(onEntry);
        return entries;
      }
    } catch (error) {
      // During an outage nothing is lost: the entries are read with the next event.
      if (signal.aborted || !isTransient(error)) throw error;
      return [];
    }
    this.#hasRecord = false;
    this.#agentEvents = new EventPrinter(new Set([...extras, "moves"]));
    onNoRecord?.();
    return [];
  }

  /**
   * Quarantines and restorations belong to no run: they are printed for runs that the pack worked on. They may precede in
   * the record what they led to, such as that a stage went on.
   */
  async #readFleet(own: readonly AuditEntry[], isNew: string): Promise<readonly AuditEntry[]> {
    const { hub, signal } = this.#options;
    this.#since ??= own[0]?.timestamp;
    for (const { packId } of own) if (packId !== "") this.#packs.add(packId);
    if (this.#packs.size === 0) return [];
    const found: AuditEntry[] = [];
    for (const type of [AuditEventType.AGENT_QUARANTINED, AuditEventType.AGENT_RESTORED]) {
      const filter = all(`event_type = AUDIT_EVENT_TYPE_${AuditEventType[type]}`, isNew);
      found.push(...((await listEntriesIfAllowed(hub, filter, signal)) ?? []));
    }
    return found.filter(
      ({ packId, timestamp }) => this.#packs.has(packId) && !isBefore(timestamp, this.#since),
    );
  }

  /** The last events of an agent may still be in flight when its answer is new. */
  async #settle({ timestamp }: AuditEntry): Promise<void> {
    const ageMs = Date.now() - (timestamp === undefined ? 0 : timestampMs(timestamp));
    if (Math.abs(ageMs) < limits.settleMs) await pause(limits.settleMs, this.#options.signal);
  }

  async #printRestOfWork({ dispatchId, stageId, timestamp }: AuditEntry): Promise<void> {
    const isWork = (event: EventRecord) => event.dispatchId === dispatchId && !isTransition(event);
    for (const event of this.#events.takeWhere(isWork)) await this.#printEvent(event);
    await this.#printAll(this.#agentEvents.end(dispatchId).map(storyLineOf), stageId, timestamp);
    this.#answered.add(dispatchId);
  }

  async #printEvent(event: EventRecord): Promise<void> {
    if (this.#answered.has(event.dispatchId) && !isTransition(event)) return;
    await this.#printAll(this.#agentEvents.print(event).map(storyLineOf), event.stageId, event.recordedAt);
  }

  async #printAll(
    storyLines: readonly StoryLine[],
    stageId: string,
    at: Timestamp | undefined,
  ): Promise<void> {
    for (const storyLine of storyLines) await this.#options.print({ storyLine, stageId, at });
  }
}

function storyLineOf({ storyLine }: PrintedEvent): StoryLine {
  return storyLine;
}

/** An event of the hub, not of the agent. */
function isTransition({ event }: EventRecord): boolean {
  return event?.payload.case === "taskTransition";
}

function isDispatch({ event }: EventRecord): boolean {
  return event?.payload.case === "taskTransition" && event.payload.value.toState === "DISPATCHED";
}

function isBefore(a: Timestamp | undefined, b: Timestamp | undefined): boolean {
  return a !== undefined && b !== undefined && timestampMs(a) < timestampMs(b);
}
