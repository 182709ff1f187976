/** What the generated code puts values with. A value may be of another type than it should be: then it is not plain. */
import { notPlain } from "./plain-bytes.ts";
import type { PlainWriter } from "./plain-writer.ts";

/** A message of another prototype may have what it only inherits. */
export const ordinary = Object.prototype;

export function putText(to: PlainWriter, tag: number, value: unknown): void {
  if (typeof value !== "string") throw notPlain;
  to.varint(tag);
  to.text(value);
}

export function putBytes(to: PlainWriter, tag: number, value: unknown): void {
  if (!(value instanceof Uint8Array)) throw notPlain;
  to.varint(tag);
  to.bytes(value);
}

export function putBool(to: PlainWriter, tag: number, value: unknown): void {
  if (typeof value !== "boolean") throw notPlain;
  to.varint(tag);
  to.varint(value ? 1 : 0);
}

export function putInt32(to: PlainWriter, tag: number, value: unknown): void {
  if (typeof value !== "number" || (value | 0) !== value) throw notPlain;
  to.varint(tag);
  to.varint(value);
}

export function putInt64(to: PlainWriter, tag: number, value: unknown): void {
  if (typeof value !== "bigint") throw notPlain;
  to.varint(tag);
  to.varint(Number(value));
}

export function putDouble(to: PlainWriter, tag: number, value: unknown): void {
  if (typeof value !== "number") throw notPlain;
  to.varint(tag);
  to.double(value);
}

export function isEmpty(value: unknown): boolean {
  return value instanceof Uint8Array && value.length === 0;
}

export function list<Item>(value: readonly Item[]): readonly Item[] {
  if (!Array.isArray(value)) throw notPlain;
  return value;
}
