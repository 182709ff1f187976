import {
  defaultLimits,
  type EventRecord,
  EventRecordSchema,
  encodeJsonInto,
  type JsonWriter,
  type WatchEventsResponse,
} from "@baton/contract";
import { RedactionFailure, type Redactor } from "@baton/kernel";
import { LRUCache } from "lru-cache";
import { bytesTooLarge } from "../events/event-size.ts";
import {
  type EventSubject,
  isTransition,
  mayConcern,
  readEvents,
  readRowEvents,
  recordOf,
  type Transition,
} from "../events/stored-events.ts";
import { notMasked, tooLargeToShow, withholdEvent } from "../events/withheld.ts";
import type { EventRow } from "../ports/store.ts";
import type { EgressFilter } from "../redaction/egress-filter.ts";
import { writeTransition } from "./transition-json.ts";
import { TransitionScreen } from "./transition-screen.ts";

/** Events that a watcher requested. */
export interface EventSelection {
  /** Whether all events are selected. */
  readonly all: boolean;
  /** The pipeline, if only one is selected. */
  readonly pipelineId: string | undefined;
  /** The part of the filter that applies before decoding. */
  readonly about: (about: EventSubject) => boolean;
  readonly whole: (record: EventRecord) => boolean;
}

/** Rows of one or more transactions. Watchers share the object. */
export type Bundle = readonly EventRow[];

export function bytesOf(bundle: Bundle): number {
  return bundle.reduce((sum, row) => sum + row.events.length, 0);
}

/** Size of recent bundles whose events are cached for watchers of everything. */
const maxRecentBytes = 1024 * 1024;

/** Maximum size of a record; the response around it takes a few bytes more. */
const maxRecordBytes = defaultLimits.maxBytes - 64;

/** Events that are sent together, in order. */
export type EventList = Iterable<WatchEventsResponse> & object;

/** All events of a bundle. Iterating creates messages that are not cached, for callers that cache what they encode. */
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

  /** Cached messages, for callers that send them one by one. */
  get messages(): readonly WatchEventsResponse[] {
    this.#messages ??= this.#make();
    return this.#messages;
  }

  /** Writes every record as JSON, between `before` and `after`. */
  writeJson(writer: JsonWriter, before: (sequence: bigint) => void, after: () => void): void {
    this.#write(writer, before, after);
  }
}

type WriteRecords = WholeBundle["writeJson"];

/**
 * Converts stored events for watchers. Watchers of everything share one list per bundle, so that an encoder can cache
 * its output by that list.
 */
export class VisibleEvents {
  readonly #redactor: Redactor;
  readonly #transitions: TransitionScreen;
  readonly #whole = new LRUCache<Bundle, WholeBundle>({ maxSize: maxRecentBytes });
  readonly #pipelines = new WeakMap<Bundle, ReadonlySet<string>>();

  constructor(filter: EgressFilter) {
    this.#redactor = filter.at("event");
    this.#transitions = new TransitionScreen(filter);
  }

  /** Selected events of a bundle after a sequence. */
  of(bundle: Bundle, after: bigint, wanted: EventSelection): EventList {
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
    const whole: WholeBundle = new WholeBundle(
      () => this.#make(bundle),
      (writer, before, after) => this.#writeJson(bundle, writer, before, after),
    );
    this.#whole.set(bundle, whole, { size: Math.min(bytesOf(bundle), maxRecentBytes) });
    return whole;
  }

  #make(bundle: Bundle): readonly WatchEventsResponse[] {
    const made: WatchEventsResponse[] = [];
    const plain = (transition: Transition) => made.push(responseOf(recordOf(transition)));
    this.#forEach(bundle, plain, (record) => made.push(this.#show(record)));
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
    this.#forEach(bundle, plain, (record) => {
      before(record.sequence);
      encodeJsonInto(writer, EventRecordSchema, this.#clean(record));
      after();
    });
  }

  /** Calls `plain` for transitions that may leave unchanged, and `other` for events that must be redacted. */
  #forEach(
    bundle: Bundle,
    plain: (transition: Transition) => void,
    other: (record: EventRecord) => void,
  ): void {
    for (const row of bundle) {
      const events = readRowEvents(row);
      const mayLeave = this.#transitions.mayLeave(events);
      for (const [index, event] of events.entries()) {
        if (!isTransition(event)) other(event);
        else if (mayLeave[index]) plain(event);
        else other(recordOf(event));
      }
    }
  }

  /** Searched once per bundle, and most bundles without decoding. */
  #hasSome(bundle: Bundle, pipelineId: string): boolean {
    return bundle.some((row) => mayConcern(row, pipelineId)) && this.#pipelinesOf(bundle).has(pipelineId);
  }

  #pipelinesOf(bundle: Bundle): ReadonlySet<string> {
    const known = this.#pipelines.get(bundle);
    if (known) return known;
    const found = new Set<string>();
    const note = ({ pipelineId }: EventSubject) => {
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
   * Redacts a record. A record that cannot be published is replaced by a notice, so that watchers can continue behind
   * it.
   */
  #clean(record: EventRecord): EventRecord {
    try {
      const { message } = this.#redactor.redactMessage(EventRecordSchema, record);
      const bytes = bytesTooLarge(EventRecordSchema, message, maxRecordBytes);
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
