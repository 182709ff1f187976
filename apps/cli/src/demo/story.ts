import { type AuditEntry, AuditEventType, type EventRecord, type Pipeline } from "@baton/contract";
import type { Hub } from "../hub/connect-hub.ts";
import { followPipeline } from "../hub/follow-pipeline.ts";
import type { Seen } from "../hub/standing.ts";
import { limits } from "../limits.ts";
import { pause } from "../terminal/pause.ts";
import type { Beat } from "./beat.ts";
import { Mailbox } from "./mailbox.ts";
import { readRecord } from "./record.ts";
import { EntryTeller } from "./tell-entry.ts";
import { EventTeller } from "./tell-event.ts";

interface Telling {
  readonly hub: Hub;
  readonly pipeline: Pipeline;
  readonly tell: (beat: Beat) => Promise<void>;
  readonly signal: AbortSignal;
}

/**
 * Tells a pipeline until it ends or waits: what the hub decided, from its record, and between that what the agents did,
 * from the events. It is told at the pace of the reader, while the pipeline goes on.
 */
export async function tellStory(telling: Telling): Promise<Seen> {
  const { hub, pipeline, signal } = telling;
  const events = new Mailbox<EventRecord>();
  const following = followPipeline({
    hub,
    pipeline,
    signal,
    untilItWaits: true,
    watcher: {
      seen: () => {},
      heard: async ({ message }) => {
        if (message.case === "record") events.put(message.value);
      },
      away: () => {},
      back: () => {},
    },
  }).finally(() => events.close());
  const [seen] = await Promise.all([following, new Storyteller(telling, events).run()]);
  return seen;
}

/**
 * S1. Entries are told in the order of the record.
 * S2. What an agent did is told after it got the task and before its answer, also when its last events reach the hub
 *     after the answer. What comes later still is left out.
 */
class Storyteller {
  readonly #telling: Telling;
  readonly #events: Mailbox<EventRecord>;
  readonly #ofHub = new EntryTeller();
  readonly #ofAgents = new EventTeller();
  /** Dispatches whose answer has been told. */
  readonly #answered = new Set<string>();
  #last = 0n;

  constructor(telling: Telling, events: Mailbox<EventRecord>) {
    this.#telling = telling;
    this.#events = events;
  }

  async run(): Promise<void> {
    while (true) {
      const events = await this.#events.takeAll();
      // Whatever caused these events is in the record by now.
      await this.#tellRecord(events ?? []);
      if (events === undefined) return;
      await this.#tellEvents(events);
    }
  }

  async #tellRecord(heard: readonly EventRecord[]): Promise<void> {
    const { hub, pipeline, signal } = this.#telling;
    for (const entry of await readRecord(hub, pipeline, this.#last, signal)) {
      this.#last = entry.sequence;
      if (entry.eventType === AuditEventType.RESULT_RECEIVED) await this.#tellWork(entry, heard);
      await this.#tellAll(this.#ofHub.tell(entry));
    }
  }

  async #tellWork({ dispatchId }: AuditEntry, heard: readonly EventRecord[]): Promise<void> {
    const isItsOwn = (event: EventRecord) => event.dispatchId === dispatchId;
    await pause(limits.demoSettleMs, this.#telling.signal);
    await this.#tellEvents([...heard.filter(isItsOwn), ...this.#events.takeWhere(isItsOwn)]);
    this.#answered.add(dispatchId);
  }

  async #tellEvents(events: readonly EventRecord[]): Promise<void> {
    for (const event of events) {
      if (!this.#answered.has(event.dispatchId)) await this.#tellAll(this.#ofAgents.tell(event));
    }
  }

  async #tellAll(beats: readonly Beat[]): Promise<void> {
    for (const beat of beats) await this.#telling.tell(beat);
  }
}
