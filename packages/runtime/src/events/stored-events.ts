/**
 * Events as they are stored: what moved, in few words, because every decision writes some and not all of them are ever
 * read. They become messages of the contract when somebody watches.
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
import type { EventRow } from "../ports/store.ts";
import { Recent } from "./recent.ts";

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
  /** Ids of events that have become a part of it. */
  readonly joined?: readonly string[] | undefined;
}

export type LooseEvent = Moved | Told;

/** The form written now; a later one reads the earlier ones. */
const form = 1;

type Stored = readonly [pipelineId: string, stageId: string, dispatchId: string, ...rest: readonly string[]];

/** What was written a moment ago, for those who watch: they need not read it again. */
const justWritten = new Recent<Uint8Array, readonly Stored[]>(1024 * 1024);

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
  const joined = writeJoined(events);
  const bytes = rowBytes(JSON.stringify({ form, events: stored, ...(joined && { joined }) }));
  justWritten.set(bytes, stored, bytes.length);
  return bytes;
}

const rows = new SharedMemory(64 * 1024);
const utf8 = new TextEncoder();

/**
 * Rows lie side by side, and with nothing else. Many of them wait for a watcher that is behind, and each keeps all of the
 * memory that it shares.
 */
function rowBytes(text: string): Uint8Array {
  const room = rows.room(3 * text.length);
  if (room === undefined) return Buffer.from(text); // So large that it has memory of its own.
  const { written } = utf8.encodeInto(text, room);
  rows.keep(written);
  return room.subarray(0, written);
}

/** By place in the row: the ids of what has become a part of an event, one after another. */
type Joined = Readonly<Record<string, string>>;

function writeJoined(events: readonly LooseEvent[]): Joined | undefined {
  let all: Record<string, string> | undefined;
  for (const [place, one] of events.entries()) {
    if (!("event" in one) || !one.joined?.length) continue;
    all ??= {};
    all[place] = one.joined.map(shortId).join("");
  }
  return all;
}

const shortIdLength = 22;

/** A UUID in fewer letters. */
export function shortId(eventId: string): string {
  return Buffer.from(eventId.replaceAll("-", ""), "hex").toString("base64url");
}

/** An event that an agent told, and the short ids of all that it was told by. */
export interface ToldBefore {
  readonly dispatchId: string;
  readonly event: Event;
  readonly ids: readonly string[];
}

/** What is in a row of some attempts. */
export function* readTold(
  { events }: EventRow,
  attempts: { has(dispatchId: string): boolean },
): Iterable<ToldBefore> {
  const { events: all, joined = {} } = readRow(events);
  for (const [place, [, , dispatchId, told = "", to]] of all.entries()) {
    if (to !== undefined || !attempts.has(dispatchId)) continue;
    const event = fromBinary(EventSchema, Buffer.from(told, "base64url"));
    const others = joined[place] ?? "";
    const ids = [shortId(event.eventId)];
    for (let from = 0; from < others.length; from += shortIdLength)
      ids.push(others.slice(from, from + shortIdLength));
    yield { dispatchId, event, ids };
  }
}

/** What an event is about, known before it is made. */
export type About = Pick<EventRecord, "sequence" | "pipelineId" | "stageId" | "dispatchId">;

/** Only those that are wanted become messages. */
export function readEvents(row: EventRow, isWanted?: (about: About) => boolean): readonly EventRecord[] {
  return readTogether(row, isWanted).map((event) => (isTransition(event) ? recordOf(event) : event));
}

/** A transition with what is made up for it, but no message yet. */
export interface Transition extends Moved {
  readonly sequence: bigint;
  readonly eventId: string;
  readonly taskId: string;
  /** Of its row: the same one for all of them. */
  readonly recordedAt: Timestamp;
}

export function isTransition(event: Transition | EventRecord): event is Transition {
  return "taskId" in event;
}

/** What is in a row, in its order. What agents told is a message already. */
export function readTogether(
  { tenantId, firstSequence, atMs, events }: EventRow,
  isWanted: (about: About) => boolean = () => true,
): readonly (Transition | EventRecord)[] {
  const read: (Transition | EventRecord)[] = [];
  const recordedAt = timestampFromMs(atMs);
  let sequence = firstSequence - 1n;
  for (const [pipelineId, stageId, dispatchId, first = "", to, commit] of justWritten.get(events) ??
    readRow(events).events) {
    sequence++;
    const about = { sequence, pipelineId, stageId, dispatchId };
    if (!isWanted(about)) continue;
    if (to === undefined) {
      const event = fromBinary(EventSchema, Buffer.from(first, "base64url"));
      read.push({ $typeName: "vasini.agent.v1.EventRecord", ...about, recordedAt, event });
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
      eventId: sameId(tenantId, `${sequence}`),
      taskId: stageId ? `${pipelineId}/${stageId}` : pipelineId,
      recordedAt,
    });
  }
  return read;
}

/** Its times are one. */
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

/** False only for a row that has nothing of the pipeline. What was written just now is known without a look. */
export function mayTellOf({ events }: EventRow, pipelineId: string): boolean {
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

/** A UUID of its own making (version 8) that is the same whenever it is asked for. */
export function sameId(...of: readonly string[]): string {
  const hex = hash("sha256", of.join("\n"));
  const variant = "89ab"[Number.parseInt(hex.charAt(16), 16) & 3];
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
