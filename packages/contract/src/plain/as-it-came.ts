import type { DescMessage, Message } from "@bufbuild/protobuf";
import { copyOf } from "./shared-memory.ts";

/** What agents answer is stored soon after it is read, and then does not have to be written anew. */
const remembered = new Set(["vasini.agent.v1.AgentResult"]);

const bytesOf = new WeakMap<Message, Uint8Array>();

export function isRemembered({ typeName }: DescMessage): boolean {
  return remembered.has(typeName);
}

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
