/**
 * The stored form of events: short, because every decision writes some and few are read. Readers convert them to
 * messages.
 */
import { hash } from "node:crypto";
import {
  type Event,
  type EventRecord,
  EventSchema,
  encodeBinary,
  SharedMemory,
  type TaskTransition,
} from "@baton/contract";
import { fromBinary } from "@bufbuild/protobuf";
import { type Timestamp, timestampFromMs } from "@bufbuild/protobuf/wkt";
import { LRUCache } from "lru-cache";
import type { EventRow } from "../ports/store.ts";

/** A transition (SAOP §2 TASK_TRANSITION). `stageId` is empty for the pipeline itself. */
export interface StoredTransition {
  readonly pipelineId: string;
  readonly stageId: string;
  readonly dispatchId: string;
  readonly from: string;
  readonly to: string;
  /** The commit of the transition. */
  readonly commit?: string | undefined;
}

/** An event that an agent reported. */
export interface AgentEvent {
  readonly pipelineId: string;
  readonly stageId: string;
  readonly dispatchId: string;
  readonly event: Event;
  /** Ids of events merged into this one. */
  readonly joined?: readonly string[] | undefined;
}

export type UnstoredEvent = StoredTransition | AgentEvent;

/** Version of the format; older versions can be read. */
const form = 1;

type Stored = readonly [pipelineId: string, stageId: string, dispatchId: string, ...rest: readonly string[]];

/** Recently written rows, so that watchers need not parse them. */
const justWritten = new LRUCache<Uint8Array, readonly Stored[]>({ maxSize: 1024 * 1024 });

export function writeEvents(events: readonly UnstoredEvent[]): Uint8Array {
  const stored = events.map((event): Stored => {
    const { pipelineId, stageId, dispatchId } = event;
    if (!("event" in event)) {
      const fields = [pipelineId, stageId, dispatchId, event.from, event.to] as const;
      return event.commit === undefined ? fields : [...fields, event.commit];
    }
    const encoded = Buffer.from(encodeBinary(EventSchema, event.event)).toString("base64url");
    return [pipelineId, stageId, dispatchId, encoded];
  });
  const joined = writeJoined(events);
  const bytes = rowBytes(JSON.stringify({ form, events: stored, ...(joined && { joined }) }));
  justWritten.set(bytes, stored, { size: Math.min(bytes.length, justWritten.maxSize) });
  return bytes;
}

const rows = new SharedMemory(64 * 1024);
const utf8 = new TextEncoder();

/**
 * Rows share memory blocks with other rows only. Many rows wait for slow watchers, and each retains its whole block.
 */
function rowBytes(text: string): Uint8Array {
  const space = rows.room(3 * text.length);
  if (space === undefined) return Buffer.from(text); // Large rows have memory of their own.
  const { written } = utf8.encodeInto(text, space);
  rows.keep(written);
  return space.subarray(0, written);
}

/** By index in the row: concatenated short ids of the merged events. */
type Joined = Readonly<Record<string, string>>;

function writeJoined(events: readonly UnstoredEvent[]): Joined | undefined {
  let all: Record<string, string> | undefined;
  for (const [index, event] of events.entries()) {
    if (!("event" in event) || !event.joined?.length) continue;
    all ??= {};
    all[index] = event.joined.map(shortId).join("");
  }
  return all;
}

const shortIdLength = 22;

/** A UUID in base64url. */
export function shortId(eventId: string): string {
  return Buffer.from(eventId.replaceAll("-", ""), "hex").toString("base64url");
}

/** An event of an agent with the short ids of all reports it was made of. */
export interface ReportedEvent {
  readonly dispatchId: string;
  readonly event: Event;
  readonly ids: readonly string[];
}

/** Agent events of the given attempts in a row. */
export function* readReported(
  { events }: EventRow,
  attempts: { has(dispatchId: string): boolean },
): Iterable<ReportedEvent> {
  const { events: all, joined = {} } = readRow(events);
  for (const [index, [, , dispatchId, encoded = "", to]] of all.entries()) {
    if (to !== undefined || !attempts.has(dispatchId)) continue;
    const event = fromBinary(EventSchema, Buffer.from(encoded, "base64url"));
    const others = joined[index] ?? "";
    const ids = [shortId(event.eventId)];
    for (let from = 0; from < others.length; from += shortIdLength)
      ids.push(others.slice(from, from + shortIdLength));
    yield { dispatchId, event, ids };
  }
}

/** Subject of an event, known before it is decoded. */
export type EventSubject = Pick<EventRecord, "sequence" | "pipelineId" | "stageId" | "dispatchId">;

/** Decodes the wanted events to messages. */
export function readEvents(
  row: EventRow,
  isWanted?: (subject: EventSubject) => boolean,
): readonly EventRecord[] {
  return readRowEvents(row, isWanted).map((event) => (isTransition(event) ? recordOf(event) : event));
}

/** A transition with derived ids, not yet a message. */
export interface Transition extends StoredTransition {
  readonly sequence: bigint;
  readonly eventId: string;
  readonly taskId: string;
  /** The same object for all transitions of a row. */
  readonly recordedAt: Timestamp;
}

export function isTransition(event: Transition | EventRecord): event is Transition {
  return "taskId" in event;
}

/** Events of a row in order; those of agents are decoded. */
export function readRowEvents(
  { tenantId, firstSequence, atMs, events }: EventRow,
  isWanted: (subject: EventSubject) => boolean = () => true,
): readonly (Transition | EventRecord)[] {
  const read: (Transition | EventRecord)[] = [];
  const recordedAt = timestampFromMs(atMs);
  let sequence = firstSequence - 1n;
  for (const [pipelineId, stageId, dispatchId, first = "", to, commit] of justWritten.get(events) ??
    readRow(events).events) {
    sequence++;
    const subject = { sequence, pipelineId, stageId, dispatchId };
    if (!isWanted(subject)) continue;
    if (to === undefined) {
      const event = fromBinary(EventSchema, Buffer.from(first, "base64url"));
      read.push({ $typeName: "vasini.agent.v1.EventRecord", ...subject, recordedAt, event });
      continue;
    }
    read.push({
      sequence,
      pipelineId,
      stageId,
      dispatchId,
      from: first,
      to,
      commit,
      eventId: derivedId(tenantId, `${sequence}`),
      taskId: stageId ? `${pipelineId}/${stageId}` : pipelineId,
      recordedAt,
    });
  }
  return read;
}

/** The event has the time of its row. */
export function recordOf(transition: Transition): EventRecord {
  const { sequence, pipelineId, stageId, dispatchId, recordedAt, eventId, taskId } = transition;
  const value: TaskTransition = {
    $typeName: "vasini.agent.v1.TaskTransition",
    taskId,
    fromState: transition.from,
    toState: transition.to,
    timestamp: recordedAt,
  };
  if (transition.commit !== undefined) value.gitHash = transition.commit;
  return {
    $typeName: "vasini.agent.v1.EventRecord",
    sequence,
    pipelineId,
    stageId,
    dispatchId,
    recordedAt,
    event: {
      $typeName: "vasini.agent.v1.Event",
      eventId,
      sessionId: pipelineId,
      payload: { case: "taskTransition", value },
    },
  };
}

/** Whether a row may contain events of a pipeline. Recent rows return true without a search. */
export function mayConcern({ events }: EventRow, pipelineId: string): boolean {
  if (justWritten.has(events)) return true;
  return Buffer.from(events.buffer, events.byteOffset, events.byteLength).includes(
    JSON.stringify(pipelineId),
  );
}

function readRow(bytes: Uint8Array) {
  const read = JSON.parse(Buffer.from(bytes).toString("utf8")) as {
    form: number;
    events: readonly Stored[];
    joined?: Joined;
  };
  if (read.form <= form) return read;
  throw new TypeError(`events in form ${read.form}, and this version of Baton reads up to ${form}`);
}

/** A deterministic UUID (version 8) of the given parts. */
export function derivedId(...of: readonly string[]): string {
  const hex = hash("sha256", of.join("\n"));
  const variant = "89ab"[Number.parseInt(hex.charAt(16), 16) & 3];
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
