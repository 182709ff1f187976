/**
 * Events as they are stored: what moved, in few words, because every decision writes some and not all of them are ever
 * read. They become messages of the contract when somebody watches.
 */
import { hash } from "node:crypto";
import { type Event, type EventRecord, EventRecordSchema, EventSchema, encodeBinary } from "@baton/contract";
import { fromBinary } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { EventRow } from "../ports/store.ts";

/** Where a stage or a pipeline went (SAOP §2 TASK_TRANSITION). The stage is empty for the pipeline itself. */
export interface Moved {
  readonly pipelineId: string;
  readonly stageId: string;
  readonly dispatchId: string;
  readonly from: string;
  readonly to: string;
  /** The commit that goes with it. */
  readonly commit?: string | undefined;
}

/** What an agent told. */
export interface Told {
  readonly pipelineId: string;
  readonly stageId: string;
  readonly dispatchId: string;
  readonly event: Event;
}

export type LooseEvent = Moved | Told;

/** The form written now; a later one reads the earlier ones. */
const form = 1;

type Stored = readonly [pipelineId: string, stageId: string, dispatchId: string, ...rest: readonly string[]];

/** What was written a moment ago, for those who watch: they need not read it again. */
const justWritten = new WeakMap<Uint8Array, readonly Stored[]>();

export function writeEvents(events: readonly LooseEvent[]): Uint8Array {
  const stored = events.map((one): Stored => {
    const { pipelineId, stageId, dispatchId } = one;
    if (!("event" in one)) {
      const moved = [pipelineId, stageId, dispatchId, one.from, one.to] as const;
      return one.commit === undefined ? moved : [...moved, one.commit];
    }
    const told = Buffer.from(encodeBinary(EventSchema, one.event)).toString("base64url");
    return [pipelineId, stageId, dispatchId, told];
  });
  const bytes = Buffer.from(JSON.stringify({ form, events: stored }));
  justWritten.set(bytes, stored);
  return bytes;
}

/** What an event is about, known before it is made. */
export type About = Pick<EventRecord, "sequence" | "pipelineId" | "stageId" | "dispatchId">;

/** Only those that are wanted become messages. */
export function readEvents(
  { tenantId, firstSequence, atMs, events }: EventRow,
  isWanted: (about: About) => boolean = () => true,
): readonly EventRecord[] {
  const records: EventRecord[] = [];
  const recordedAt = timestampFromMs(atMs);
  let sequence = firstSequence - 1n;
  for (const [pipelineId, stageId, dispatchId, first = "", to, commit] of justWritten.get(events) ??
    read(events)) {
    sequence++;
    const about = { sequence, pipelineId, stageId, dispatchId };
    if (!isWanted(about)) continue;
    const event =
      to === undefined
        ? fromBinary(EventSchema, Buffer.from(first, "base64url"))
        : transition({ pipelineId, stageId, dispatchId, from: first, to, commit }, tenantId, sequence, atMs);
    records.push({ $typeName: EventRecordSchema.typeName, ...about, recordedAt, event });
  }
  return records;
}

/** False only for a row that has nothing of the pipeline. What was written just now is known without a look. */
export function mayTellOf({ events }: EventRow, pipelineId: string): boolean {
  if (justWritten.has(events)) return true;
  return Buffer.from(events.buffer, events.byteOffset, events.byteLength).includes(
    JSON.stringify(pipelineId),
  );
}

function read(bytes: Uint8Array): readonly Stored[] {
  const read = JSON.parse(Buffer.from(bytes).toString("utf8")) as {
    form: number;
    events: readonly Stored[];
  };
  if (read.form <= form) return read.events;
  throw new TypeError(`events in form ${read.form}, and this version of Baton reads up to ${form}`);
}

function transition(
  { pipelineId, stageId, from, to, commit }: Moved,
  tenantId: string,
  sequence: bigint,
  atMs: number,
): Event {
  return {
    $typeName: "vasini.agent.v1.Event",
    eventId: eventIdOf(tenantId, sequence),
    sessionId: pipelineId,
    payload: {
      case: "taskTransition",
      value: {
        $typeName: "vasini.agent.v1.TaskTransition",
        taskId: stageId ? `${pipelineId}/${stageId}` : pipelineId,
        fromState: from,
        toState: to,
        timestamp: timestampFromMs(atMs),
        ...(commit !== undefined && { gitHash: commit }),
      },
    },
  };
}

/** A UUID of its own making (version 8) that is the same whenever it is asked for. */
function eventIdOf(tenantId: string, sequence: bigint): string {
  const hex = hash("sha256", `${tenantId}\n${sequence}`);
  const variant = "89ab"[Number.parseInt(hex.charAt(16), 16) & 3];
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
