import { dataTags } from "./data-tags.ts";
import { notPlain } from "./plain-bytes.ts";
import type { PlainWriter } from "./plain-writer.ts";

/** Structured data, straight from the JSON that it stands for. */
export function writeData(to: PlainWriter, data: unknown): void {
  if (typeof data !== "object" || data === null || Array.isArray(data)) throw notPlain;
  for (const [key, value] of Object.entries(data)) {
    to.varint(dataTags.entry);
    const start = to.open();
    to.varint(dataTags.key);
    to.text(key);
    writeValue(to, dataTags.value, value);
    to.close(start);
  }
}

function writeValue(to: PlainWriter, tag: number, value: unknown): void {
  to.varint(tag);
  const start = to.open();
  writeKind(to, value);
  to.close(start);
}

function writeKind(to: PlainWriter, value: unknown): void {
  if (typeof value === "string") {
    to.varint(dataTags.text);
    to.text(value);
  } else if (typeof value === "number") {
    to.varint(dataTags.number);
    to.double(value);
  } else if (typeof value === "boolean") {
    to.varint(dataTags.bool);
    to.varint(value ? 1 : 0);
  } else if (value === null) {
    to.varint(dataTags.null);
    to.varint(0);
  } else {
    to.varint(Array.isArray(value) ? dataTags.list : dataTags.object);
    const start = to.open();
    if (!Array.isArray(value)) writeData(to, value);
    else for (const item of value) writeValue(to, dataTags.item, item);
    to.close(start);
  }
}
