import type { JsonWriter } from "@baton/contract";
import { toJsonString } from "@bufbuild/protobuf";
import { type Timestamp, TimestampSchema } from "@bufbuild/protobuf/wkt";
import type { Transition } from "../events/stored-events.ts";

/** Caches the last timestamp, which all transitions of a row share. */
let last: { readonly time: Timestamp; readonly text: string } | undefined;

/** Writes a transition as its message would be encoded, without creating the message. */
export function writeTransition(writer: JsonWriter, transition: Transition): void {
  const { sequence, pipelineId, eventId, taskId, commit, recordedAt } = transition;
  if (last?.time !== recordedAt) last = { time: recordedAt, text: toJsonString(TimestampSchema, recordedAt) };
  writer.ascii('{"sequence":"');
  writer.ascii(String(sequence));
  writer.ascii('","recordedAt":');
  writer.ascii(last.text);
  write(writer, ',"pipelineId":', pipelineId);
  write(writer, ',"stageId":', transition.stageId);
  write(writer, ',"dispatchId":', transition.dispatchId);
  writer.ascii(',"event":{"eventId":"');
  writer.ascii(eventId);
  writer.ascii('"');
  write(writer, ',"sessionId":', pipelineId);
  writer.ascii(',"taskTransition":{"taskId":');
  writer.quoted(taskId);
  write(writer, ',"fromState":', transition.from);
  write(writer, ',"toState":', transition.to);
  if (commit !== undefined) {
    writer.ascii(',"gitHash":');
    writer.quoted(commit);
  }
  writer.ascii(',"timestamp":');
  writer.ascii(last.text);
  writer.ascii("}}}");
}

/** Empty fields are omitted. */
function write(writer: JsonWriter, name: string, text: string): void {
  if (text === "") return;
  writer.ascii(name);
  writer.quoted(text);
}
