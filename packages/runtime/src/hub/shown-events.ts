import {
  defaultLimits,
  type EventRecord,
  EventRecordSchema,
  type WatchEventsResponse,
} from "@baton/contract";
import { RedactionFailure, type Redactor } from "@baton/kernel";
import { Recent } from "../events/recent.ts";
import { bytesTooLarge } from "../events/shown-size.ts";
import { type About, mayTellOf, readEvents } from "../events/stored-events.ts";
import { notMasked, tooLargeToShow, withholdEvent } from "../events/withheld.ts";
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

/**
 * Events as watchers see them. What several see is made once: whoever wants everything gets the very same list, so that
 * whoever writes it can know it again.
 */
export class ShownEvents {
  readonly #redactor: Redactor;
  readonly #whole = new Recent<Bundle, readonly WatchEventsResponse[]>(mostRecentBytes);
  readonly #pipelines = new WeakMap<Bundle, ReadonlySet<string>>();

  constructor(redactor: Redactor) {
    this.#redactor = redactor;
  }

  /** Those behind a number. */
  of(bundle: Bundle, after: bigint, wanted: Wanted): readonly WatchEventsResponse[] {
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

  #all(bundle: Bundle): readonly WatchEventsResponse[] {
    const known = this.#whole.get(bundle);
    if (known) return known;
    const shown = bundle.flatMap((row) => readEvents(row).map((record) => this.#show(record)));
    this.#whole.set(bundle, shown, bytesOf(bundle));
    return shown;
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
    const value = this.#clean(record);
    return { $typeName: "vasini.agent.v1.WatchEventsResponse", message: { case: "record", value } };
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
