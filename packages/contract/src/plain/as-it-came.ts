import type { Message } from "@bufbuild/protobuf";
import { copyOf } from "./shared-memory.ts";

const bytesOf = new WeakMap<Message, Uint8Array>();

/** The bytes are copied: what they are a piece of may be much larger, and would be kept with them. */
export function remember(message: Message, bytes: Uint8Array): void {
  bytesOf.set(message, copyOf(bytes));
}

/**
 * The bytes that a message was read from, once: whoever takes them is the one who stores them. Undefined for a message that
 * was not read from any, or whose bytes were taken. A message that was changed since must not be asked for.
 */
export function takeAsItCame(message: Message): Uint8Array | undefined {
  const bytes = bytesOf.get(message);
  if (bytes) bytesOf.delete(message);
  return bytes;
}
