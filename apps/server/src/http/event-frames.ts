import {
  EventRecordSchema,
  encodeJson,
  WatchCaughtUpSchema,
  WatchDroppedSchema,
  type WatchEventsResponse,
} from "@baton/contract";

/** Those who watch everything are given the same lists. */
const written = new WeakMap<readonly WatchEventsResponse[], Buffer>();

/** Events as they stand in a stream; the same list is written once. */
export function writeOnce(events: readonly WatchEventsResponse[]): Buffer {
  const known = written.get(events);
  if (known) return known;
  const bytes = Buffer.from(events.map(write).join(""));
  written.set(events, bytes);
  return bytes;
}

function write({ message }: WatchEventsResponse): string {
  switch (message.case) {
    case "record":
      return frame("record", encodeJson(EventRecordSchema, message.value), message.value.sequence);
    case "caughtUp":
      return frame("caught_up", encodeJson(WatchCaughtUpSchema, message.value), message.value.sequence);
    case "dropped":
      return frame(
        "dropped",
        encodeJson(WatchDroppedSchema, message.value),
        message.value.resumeAfterSequence,
      );
    default:
      return "";
  }
}

/** JSON has no line breaks outside of texts, and within them they are escaped: each event is one line of data. */
export function frame(event: string, data: string, id?: bigint): string {
  return `${id === undefined ? "" : `id: ${id}\n`}event: ${event}\ndata: ${data}\n\n`;
}
