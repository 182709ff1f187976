import { type AuditEntry, AuditEventType, type EventRecord, type Pipeline } from "@baton/contract/forms";
import { type Timestamp, timestampFromMs, timestampMs } from "@bufbuild/protobuf/wkt";
import type { Hub } from "../hub/connect-hub.ts";
import { all, quote } from "../hub/filter.ts";
import { followPipeline, type Watcher } from "../hub/follow-pipeline.ts";
import { listEntriesIfAllowed } from "../hub/list-entries.ts";
import { isPassing } from "../hub/passing.ts";
import type { Seen } from "../hub/standing.ts";
import { limits } from "../limits.ts";
import { pause } from "../terminal/pause.ts";
import type { Beat, Told } from "./beat.ts";
import { Mailbox } from "./mailbox.ts";
import { EntryTeller } from "./tell-entry.ts";
import { EventTeller, type Extra, type Heard } from "./tell-event.ts";

export interface Telling {
  readonly hub: Hub;
  readonly pipeline: Pipeline;
  readonly signal: AbortSignal;
  /** Ends also when the pipeline waits for a person. */
  readonly untilItWaits: boolean;
  /** What is told besides the record and the tools that returned. */
  readonly extras: readonly Extra[];
  readonly tell: (told: Told) => Promise<void>;
  readonly watcher?: Partial<Omit<Watcher, "heard">>;
  /** Events as they come, which may be before they are told, and what is on record. */
  readonly hear?: (event: EventRecord) => void;
  readonly read?: (entry: AuditEntry) => void;
  /** The record is not ours to read: the story is told from events alone. */
  readonly onNoRecord?: () => void;
}

/**
 * Tells a pipeline until it ends or waits: what the hub decided, from its record, and between that what the agents did,
 * from the events. It is told at the pace of the reader, while the pipeline goes on.
 */
export async function tellStory(telling: Telling): Promise<Seen> {
  const { hub, pipeline, untilItWaits, watcher = {} } = telling;
  const events = new Mailbox<EventRecord>(limits.untoldEvents);
  const stop = new AbortController();
  const signal = AbortSignal.any([telling.signal, stop.signal]);
  const following = followPipeline({
    hub,
    pipeline,
    signal,
    untilItWaits,
    watcher: {
      seen: (seen) => {
        watcher.seen?.(seen);
        events.ring(); // What is on record need not have made an event, such as a question to a person.
      },
      heard: async ({ message }) => {
        if (message.case !== "record") return;
        telling.hear?.(message.value);
        await events.put(message.value);
      },
      away: () => watcher.away?.(),
      back: () => watcher.back?.(),
    },
  }).finally(() => events.close());
  const told = new Storyteller(telling, events).run().catch((error: unknown) => {
    stop.abort(error);
    throw error;
  });
  const [seen] = await Promise.all([following, told]);
  return seen;
}

/**
 * S1. Entries are told in the order of the record, and events in that of the stream.
 * S2. What an agent did is told after it got the task and before its answer, also when its last events reach the hub
 *     after the answer. What comes later still is left out.
 * S3. An event is told after what was on record by then, and an entry after the events that came before it: one that is
 *     newer than every event waits for the next one, or until it is clear that none comes.
 * S4. Which agent was chosen is told between what led there and that it was sent, which the hub stores in one step.
 */
class Storyteller {
  readonly #telling: Telling;
  readonly #events: Mailbox<EventRecord>;
  readonly #ofHub = new EntryTeller();
  #ofAgents: EventTeller;
  /** Dispatches of which an event has said that they were sent. */
  readonly #sent = new Set<string>();
  /** Dispatches whose answer has been told. */
  readonly #answered = new Set<string>();
  /** Entries that are read and wait for the events before them. */
  #ahead: readonly AuditEntry[] = [];
  /** When the last event that came was stored. */
  #newest: Timestamp = timestampFromMs(0);
  #last = 0n;
  /** The packs that have had to do with the pipeline, and since when. */
  readonly #packs = new Set<string>();
  #since: Timestamp | undefined;
  #hasRecord = true;

  constructor(telling: Telling, events: Mailbox<EventRecord>) {
    this.#telling = telling;
    this.#events = events;
    this.#ofAgents = new EventTeller(new Set(telling.extras));
  }

  async run(): Promise<void> {
    while (true) {
      const taken = await this.#events.takeAll(this.#ahead.length > 0 ? limits.settleMs : undefined);
      const events = typeof taken === "string" ? [] : taken;
      this.#newest = events.at(-1)?.recordedAt ?? this.#newest;
      // Whatever caused these events is in the record by now.
      const entries = [...this.#ahead, ...(taken === "late" ? [] : await this.#readRecord())];
      this.#last = entries.at(-1)?.sequence ?? this.#last;
      for (const event of events) if (isSending(event)) this.#sent.add(event.dispatchId);
      const waits = typeof taken === "string" ? -1 : entries.findIndex((entry) => this.#mustWait(entry));
      this.#ahead = waits < 0 ? [] : entries.slice(waits);
      await this.#tellTogether(entries.slice(0, entries.length - this.#ahead.length), events);
      if (taken === "closed") return;
    }
  }

  /** An entry that is newer than every event; or a choice of an agent, before what led there has come. */
  #mustWait({ eventType, dispatchId, timestamp }: AuditEntry): boolean {
    if (isBefore(this.#newest, timestamp)) return true;
    if (eventType !== AuditEventType.DISPATCH_DECISION || dispatchId === "") return false;
    const sinceMs = timestampMs(this.#newest) - (timestamp ? timestampMs(timestamp) : 0);
    return !this.#sent.has(dispatchId) && sinceMs < limits.settleMs;
  }

  async #tellTogether(entries: readonly AuditEntry[], events: readonly EventRecord[]): Promise<void> {
    let untold = events;
    const tellThose = async (fits: (event: EventRecord) => boolean) => {
      for (const event of untold.filter(fits)) await this.#tellEvent(event);
      untold = untold.filter((event) => !fits(event));
    };
    for (const entry of entries) {
      await tellThose(({ recordedAt }) => isBefore(recordedAt, entry.timestamp));
      const sending = untold.findIndex((event) => isSending(event) && event.dispatchId === entry.dispatchId);
      if (entry.eventType === AuditEventType.DISPATCH_DECISION && sending > 0) {
        const before = new Set(untold.slice(0, sending));
        await tellThose((event) => before.has(event));
      }
      if (entry.eventType === AuditEventType.RESULT_RECEIVED) {
        await this.#settle(entry);
        await tellThose((event) => event.dispatchId === entry.dispatchId && !isMove(event));
        await this.#tellRestOfWork(entry);
      }
      await this.#tellAll(this.#ofHub.tell(entry), entry.stageId, entry.timestamp);
    }
    await tellThose(() => true);
  }

  async #readRecord(): Promise<readonly AuditEntry[]> {
    if (!this.#hasRecord) return [];
    const { hub, pipeline, signal, extras, onNoRecord, read } = this.#telling;
    const isNew = `sequence > ${this.#last}`;
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
        if (read !== undefined) entries.forEach(read);
        return entries;
      }
    } catch (error) {
      // While the hub is away nothing is lost: what is on record is read with the next event.
      if (signal.aborted || !isPassing(error)) throw error;
      return [];
    }
    this.#hasRecord = false;
    this.#ofAgents = new EventTeller(new Set([...extras, "moves"]));
    onNoRecord?.();
    return [];
  }

  /**
   * That an agent is shut out, or let in again, is of no pipeline: it is told to those who have had to do with its pack. It
   * may be on record before what it led to, such as that a stage went on.
   */
  async #readFleet(own: readonly AuditEntry[], isNew: string): Promise<readonly AuditEntry[]> {
    const { hub, signal } = this.#telling;
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

  /** An agent's last events may still be on their way; of an answer that is not new they have come. */
  async #settle({ timestamp }: AuditEntry): Promise<void> {
    const ageMs = Date.now() - (timestamp === undefined ? 0 : timestampMs(timestamp));
    if (Math.abs(ageMs) < limits.settleMs) await pause(limits.settleMs, this.#telling.signal);
  }

  async #tellRestOfWork({ dispatchId, stageId, timestamp }: AuditEntry): Promise<void> {
    const isWork = (event: EventRecord) => event.dispatchId === dispatchId && !isMove(event);
    for (const event of this.#events.takeWhere(isWork)) await this.#tellEvent(event);
    await this.#tellAll(this.#ofAgents.end(dispatchId).map(beatOf), stageId, timestamp);
    this.#answered.add(dispatchId);
  }

  async #tellEvent(event: EventRecord): Promise<void> {
    if (this.#answered.has(event.dispatchId) && !isMove(event)) return;
    await this.#tellAll(this.#ofAgents.tell(event).map(beatOf), event.stageId, event.recordedAt);
  }

  async #tellAll(beats: readonly Beat[], stageId: string, at: Timestamp | undefined): Promise<void> {
    for (const beat of beats) await this.#telling.tell({ beat, stageId, at });
  }
}

function beatOf({ beat }: Heard): Beat {
  return beat;
}

/** Of the hub and not of the agent. */
function isMove({ event }: EventRecord): boolean {
  return event?.payload.case === "taskTransition";
}

function isSending({ event }: EventRecord): boolean {
  return event?.payload.case === "taskTransition" && event.payload.value.toState === "DISPATCHED";
}

function isBefore(one: Timestamp | undefined, other: Timestamp | undefined): boolean {
  return one !== undefined && other !== undefined && timestampMs(one) < timestampMs(other);
}
