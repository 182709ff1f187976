import {
  EventRecordSchema,
  encodeJsonInto,
  JsonWriter,
  WatchCaughtUpSchema,
  WatchDroppedSchema,
  type WatchEventsResponse,
} from "@baton/contract";
import { type EventList, WholeBundle } from "@baton/runtime";

/** Watchers without a filter receive the same lists. */
const written = new WeakMap<EventList, Buffer>();

/** Events as server-sent events; encodes each list once. */
export function writeOnce(events: EventList): Buffer {
  const known = written.get(events);
  if (known) return known;
  writer.clear();
  if (events instanceof WholeBundle) events.writeJson(writer, beginRecord, endRecord);
  else for (const event of events) write(event);
  const bytes = Buffer.from(writer.copy().buffer);
  written.set(events, bytes);
  return bytes;
}

const writer = new JsonWriter();

const beginRecord = (sequence: bigint) => writer.ascii(head("record", sequence));
const endRecord = () => writer.ascii(end);

function write({ message }: WatchEventsResponse): void {
  switch (message.case) {
    case "record":
      writer.ascii(head("record", message.value.sequence));
      encodeJsonInto(writer, EventRecordSchema, message.value);
      return writer.ascii(end);
    case "caughtUp":
      writer.ascii(head("caught_up", message.value.sequence));
      encodeJsonInto(writer, WatchCaughtUpSchema, message.value);
      return writer.ascii(end);
    case "dropped":
      writer.ascii(head("dropped", message.value.resumeAfterSequence));
      encodeJsonInto(writer, WatchDroppedSchema, message.value);
      return writer.ascii(end);
  }
}

/** Each event is one line of data, because JSON escapes line breaks. */
export function frame(event: string, data: string): string {
  return `${head(event)}${data}${end}`;
}

function head(event: string, id?: bigint): string {
  return `${id === undefined ? "" : `id: ${id}\n`}event: ${event}\ndata: `;
}

const end = "\n\n";
