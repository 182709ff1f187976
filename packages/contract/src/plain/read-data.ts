import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { dataTags } from "./data-tags.ts";
import { notPlain } from "./plain-bytes.ts";
import { checkDepth, countElement, type Reading } from "./reading.ts";

/** Structured data, straight into the JSON that it stands for. */
export function readData(reading: Reading, end: number, depth: number): JsonObject {
  const { from } = reading;
  checkDepth(reading, depth);
  const data: JsonObject = {};
  while (from.at < end) {
    expectTag(reading, dataTags.entry);
    countElement(reading);
    const entryEnd = from.end(end);
    expectTag(reading, dataTags.key);
    const key = from.text(from.end(entryEnd));
    if (key === "__proto__") throw notPlain; // To set it would do something else.
    expectTag(reading, dataTags.value);
    countElement(reading);
    data[key] = readValue(reading, from.end(entryEnd), depth);
    if (from.at !== entryEnd) throw notPlain;
  }
  return data;
}

function readList(reading: Reading, end: number, depth: number): JsonValue[] {
  const { from } = reading;
  checkDepth(reading, depth);
  const list: JsonValue[] = [];
  while (from.at < end) {
    expectTag(reading, dataTags.item);
    countElement(reading);
    list.push(readValue(reading, from.end(end), depth));
  }
  return list;
}

/** One that says what it is, and says it once. */
function readValue(reading: Reading, end: number, depth: number): JsonValue {
  const { from } = reading;
  const value = readKind(reading, from.varint(), end, depth);
  if (from.at !== end) throw notPlain;
  return value;
}

function readKind(reading: Reading, tag: number, end: number, depth: number): JsonValue {
  const { from } = reading;
  switch (tag) {
    case dataTags.null:
      from.varint();
      return null;
    case dataTags.number:
      return from.double();
    case dataTags.text:
      return from.text(from.end(end));
    case dataTags.bool:
      return from.varint() !== 0;
    case dataTags.object:
      countElement(reading);
      return readData(reading, from.end(end), depth + 1);
    case dataTags.list:
      countElement(reading);
      return readList(reading, from.end(end), depth + 1);
    default:
      throw notPlain;
  }
}

function expectTag({ from }: Reading, tag: number): void {
  if (from.varint() !== tag) throw notPlain;
}
