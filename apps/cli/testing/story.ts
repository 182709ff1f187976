import {
  type AuditEntry,
  AuditEventType,
  type Escalation,
  type Pipeline,
  type WatchEventsResponse,
} from "@baton/contract";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import type { Answers } from "./hub-double.ts";
import { aPipeline, caughtUp } from "./sample.ts";

export const forEver = () => new Promise<never>(() => {});

/** A hub that streams its events as the contract says: those after the requested sequence, then new ones. */
export class Story {
  readonly asked: bigint[] = [];
  pipeline: Pipeline = aPipeline();
  readonly #past: WatchEventsResponse[];
  readonly #future: (() => AsyncIterable<WatchEventsResponse>)[];

  /** What is on record; undefined is a hub that does not let us read it. */
  record: readonly AuditEntry[] | undefined;
  questions: readonly Escalation[] = [];

  constructor(past: WatchEventsResponse[], ...future: (() => AsyncIterable<WatchEventsResponse>)[]) {
    this.#past = past;
    this.#future = future;
  }

  happen(message: WatchEventsResponse): WatchEventsResponse {
    this.#past.push(message);
    return message;
  }

  get answers(): Answers {
    return {
      orchestrator: {
        getPipeline: () => ({ pipeline: this.pipeline }),
        listEscalations: ({ filter, orderBy, pageSize }) => {
          const from = Date.parse(/raised_at >= "([^"]+)"/.exec(filter)?.[1] ?? "1970-01-01");
          const asked = this.questions.filter(({ raisedAt }) => raisedAt && timestampMs(raisedAt) >= from);
          return { escalations: pageOf(asked, orderBy, pageSize) };
        },
        watchEvents: ({ afterSequence }) => this.#events(afterSequence ?? -1n),
      },
      audit: {
        listAuditEntries: ({ filter, orderBy, pageSize }) => {
          if (this.record === undefined) throw new ConnectError("no auditor", Code.PermissionDenied);
          const after = BigInt(/sequence > (\d+)/.exec(filter)?.[1] ?? 0);
          const type = /event_type = AUDIT_EVENT_TYPE_(\w+)/.exec(filter)?.[1];
          const isRequested = ({ sequence, eventType, pipelineId }: AuditEntry) =>
            sequence > after &&
            (!filter.includes("pipeline_id") || pipelineId !== "") &&
            (type === undefined || type === AuditEventType[eventType]);
          return { entries: pageOf(this.record.filter(isRequested), orderBy, pageSize) };
        },
      },
    };
  }

  async *#events(after: bigint): AsyncGenerator<WatchEventsResponse> {
    this.asked.push(after);
    const stored = this.#past.filter(
      ({ message }) => message.case === "record" && message.value.sequence > after,
    );
    yield* stored;
    yield caughtUp(this.#past.length);
    const next = this.#future.shift();
    if (next !== undefined) yield* next();
    else await forEver();
  }
}

/** One page is all there is. */
function pageOf<Row>(rows: readonly Row[], orderBy: string, pageSize: number): Row[] {
  return (orderBy.endsWith(" desc") ? rows.toReversed() : [...rows]).slice(0, pageSize || undefined);
}
