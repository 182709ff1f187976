import {
  defaultLimits,
  type EventRecord,
  EventRecordSchema,
  encodeJsonInto,
  type JsonWriter,
  type WatchEventsResponse,
} from "@baton/contract";
import { RedactionFailure, type Redactor } from "@baton/kernel";
import { Recent } from "../events/recent.ts";
import { bytesTooLarge } from "../events/shown-size.ts";
import {
  type About,
  isTransition,
  mayTellOf,
  readEvents,
  readTogether,
  recordOf,
  type Transition,
} from "../events/stored-events.ts";
import { writeTransition } from "../events/transition-json.ts";
import { TransitionLook } from "../events/transition-look.ts";
import { notMasked, tooLargeToShow, withholdEvent } from "../events/withheld.ts";
import type { Filter } from "../filter/filter.ts";
import type { EventRow } from "../ports/store.ts";

/** What a watcher wants to hear of. */
export interface Wanted {
  /** Whether it is everything. */
  readonly all: boolean;
  /** The only pipeline, when it is one. */
  readonly pipelineId: string | undefined;
  /** Most of a filter can be asked before an event is made of what is stored. */
  readonly about: (about: About) => boolean;
  readonly whole: (record: EventRecord) => boolean;
}

/** Rows that were stored together. Many watchers are handed the same one. */
export type Bundle = readonly EventRow[];

export function bytesOf(bundle: Bundle): number {
  return bundle.reduce((sum, row) => sum + row.events.length, 0);
}

/** Of bundles whose events are kept for others who want everything: those who are not slow come at once. */
const mostRecentBytes = 1024 * 1024;

/** Of a record. The answer around it takes a few more. */
const mostShownBytes = defaultLimits.maxBytes - 64;

/** Events that are told together, in their order. */
export type EventList = Iterable<WatchEventsResponse> & object;

/**
 * Those of a bundle, for whoever wants everything. Going through them makes messages that are not kept: whoever writes them keeps
 * what he has written.
 */
export class WholeBundle implements Iterable<WatchEventsResponse> {
  readonly #make: () => readonly WatchEventsResponse[];
  readonly #write: WriteRecords;
  #messages: readonly WatchEventsResponse[] | undefined;

  constructor(make: () => readonly WatchEventsResponse[], write: WriteRecords) {
    this.#make = make;
    this.#write = write;
  }

  [Symbol.iterator](): Iterator<WatchEventsResponse> {
    return this.#make()[Symbol.iterator]();
  }

  /** For those who hand on one after the other: made once for all of them. */
  get messages(): readonly WatchEventsResponse[] {
    this.#messages ??= this.#make();
    return this.#messages;
  }

  /** Every record as JSON, each between what `before` and `after` write. */
  writeJson(writer: JsonWriter, before: (sequence: bigint) => void, after: () => void): void {
    this.#write(writer, before, after);
  }
}

type WriteRecords = WholeBundle["writeJson"];

/**
 * Events as watchers see them. What several see is made once: whoever wants everything gets the very same list, so that
 * whoever writes it can know it again.
 */
export class ShownEvents {
  readonly #redactor: Redactor;
  readonly #transitions: TransitionLook;
  readonly #whole = new Recent<Bundle, WholeBundle>(mostRecentBytes);
  readonly #pipelines = new WeakMap<Bundle, ReadonlySet<string>>();

  constructor(filter: Filter) {
    this.#redactor = filter.at("event");
    this.#transitions = new TransitionLook(filter);
  }

  /** Those behind a number. */
  of(bundle: Bundle, after: bigint, wanted: Wanted): EventList {
    const [first] = bundle;
    if (first === undefined) return [];
    if (wanted.all && first.firstSequence > after) return this.#all(bundle);
    if (wanted.pipelineId !== undefined && !this.#hasSome(bundle, wanted.pipelineId)) return [];
    return bundle.flatMap((row) =>
      readEvents(row, (about) => about.sequence > after && wanted.about(about))
        .filter(wanted.whole)
        .map((record) => this.#show(record)),
    );
  }

  #all(bundle: Bundle): EventList {
    const known = this.#whole.get(bundle);
    if (known) return known;
    const shown: WholeBundle = new WholeBundle(
      () => this.#make(bundle),
      (writer, before, after) => this.#writeJson(bundle, writer, before, after),
    );
    this.#whole.set(bundle, shown, bytesOf(bundle));
    return shown;
  }

  #make(bundle: Bundle): readonly WatchEventsResponse[] {
    const made: WatchEventsResponse[] = [];
    const plain = (transition: Transition) => made.push(responseOf(recordOf(transition)));
    this.#tell(bundle, plain, (record) => made.push(this.#show(record)));
    return made;
  }

  #writeJson(
    bundle: Bundle,
    writer: JsonWriter,
    before: (sequence: bigint) => void,
    after: () => void,
  ): void {
    const plain = (transition: Transition) => {
      before(transition.sequence);
      writeTransition(writer, transition);
      after();
    };
    this.#tell(bundle, plain, (record) => {
      before(record.sequence);
      encodeJsonInto(writer, EventRecordSchema, this.#clean(record));
      after();
    });
  }

  /** Tells transitions that may leave as they are, and all else as messages which have yet to pass the filter. */
  #tell(bundle: Bundle, plain: (transition: Transition) => void, other: (record: EventRecord) => void): void {
    for (const row of bundle) {
      const events = readTogether(row);
      const mayLeave = this.#transitions.mayLeave(events);
      for (const [place, event] of events.entries()) {
        if (!isTransition(event)) other(event);
        else if (mayLeave[place]) plain(event);
        else other(recordOf(event));
      }
    }
  }

  /** What was read from the store is looked through once, and most of it without being understood. */
  #hasSome(bundle: Bundle, pipelineId: string): boolean {
    return bundle.some((row) => mayTellOf(row, pipelineId)) && this.#pipelinesOf(bundle).has(pipelineId);
  }

  #pipelinesOf(bundle: Bundle): ReadonlySet<string> {
    const known = this.#pipelines.get(bundle);
    if (known) return known;
    const found = new Set<string>();
    const note = ({ pipelineId }: About) => {
      found.add(pipelineId);
      return false;
    };
    for (const row of bundle) readEvents(row, note);
    this.#pipelines.set(bundle, found);
    return found;
  }

  #show(record: EventRecord): WatchEventsResponse {
    return responseOf(this.#clean(record));
  }

  /**
   * Agents write what they like; what leaves the hub has no secrets in it. One event that cannot be shown has another in its
   * place: whoever watches would otherwise come no further, however often they begin again.
   */
  #clean(record: EventRecord): EventRecord {
    try {
      const { message } = this.#redactor.redactMessage(EventRecordSchema, record);
      const bytes = bytesTooLarge(EventRecordSchema, message, mostShownBytes);
      return bytes === undefined ? message : withholdEvent(this.#redactor, record, tooLargeToShow(bytes));
    } catch (error) {
      if (!(error instanceof RedactionFailure)) throw error;
      return withholdEvent(this.#redactor, record, notMasked(error));
    }
  }
}

function responseOf(value: EventRecord): WatchEventsResponse {
  return { $typeName: "vasini.agent.v1.WatchEventsResponse", message: { case: "record", value } };
}
