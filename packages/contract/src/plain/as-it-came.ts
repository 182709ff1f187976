import type { Message } from "@bufbuild/protobuf";
import { copyOf } from "./shared-memory.ts";

const bytesOf = new WeakMap<Message, Uint8Array>();

/** The bytes are copied: what they are a piece of may be much larger, and would be kept with them. */
export function remember(message: Message, bytes: Uint8Array): void {
  bytesOf.set(message, copyOf(bytes));
}

/**
 * Takes the bytes that a message was decoded from, for the one caller that stores them. Undefined for a message that was
 * not decoded, or whose bytes were taken. Must not be called for a message that was changed since.
 */
export function takeAsItCame(message: Message): Uint8Array | undefined {
  const bytes = bytesOf.get(message);
  if (bytes) bytesOf.delete(message);
  return bytes;
}
