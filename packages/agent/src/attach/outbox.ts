import {
  type AttachAgentRequest,
  AttachAgentRequestSchema,
  defaultLimits,
  encodeBinary,
} from "@baton/contract";
import { AgentError } from "../agent-error.ts";
import { limits } from "../limits.ts";

/** A message, and how it travels under its number. */
export interface Kept {
  readonly message: AttachAgentRequest;
  readonly bytes: Uint8Array;
}

export interface OutboxLimits {
  readonly messages: number;
  readonly bytes: number;
}

/**
 * Messages that the hub has not acknowledged, in the order of their numbers. When there are too many the oldest events
 * go, then the oldest turns; results and cancels are kept, and are as few as the agent's attempts.
 */
export class Outbox {
  readonly #limits: OutboxLimits;
  #kept: Kept[] = [];
  #bytes = 0;
  /** How many of them are ends of attempts. */
  #ends = 0;

  constructor(most: OutboxLimits = { messages: limits.outboxMessages, bytes: limits.outboxBytes }) {
    this.#limits = most;
  }

  get size(): number {
    return this.#kept.length;
  }

  /** More answers wait than an agent may hold: it takes no task until the hub has some of them. */
  get isFull(): boolean {
    return this.#ends >= limits.unacknowledgedAnswers || this.#bytes > this.#limits.bytes;
  }

  /** Returns how many others had to go. */
  add(kept: Kept): number {
    this.#kept.push(kept);
    this.#count(kept, 1);
    let dropped = 0;
    while (this.#isOver() && (this.#drop("event") || this.#drop("turn"))) dropped++;
    return dropped;
  }

  /** All messages up to this number are durable at the hub. */
  acknowledge(sequence: bigint): void {
    const first = this.#kept.findIndex(({ message }) => message.sequence > sequence);
    const gone = this.#kept.splice(0, first < 0 ? this.#kept.length : first);
    for (const kept of gone) this.#count(kept, -1);
  }

  /** Forgets one message, and gives it back. */
  take(sequence: bigint): AttachAgentRequest | undefined {
    const index = this.#kept.findIndex(({ message }) => message.sequence === sequence);
    return index < 0 ? undefined : this.#removeAt(index)?.message;
  }

  above(sequence: bigint): readonly Kept[] {
    return this.#kept.filter(({ message }) => message.sequence > sequence);
  }

  /** Numbers all messages anew, in their order. Returns the last number. */
  renumber(first: bigint): bigint {
    this.#kept = this.#kept.map(({ message }, index) => {
      message.sequence = first + BigInt(index);
      return encoded(message);
    });
    this.#bytes = this.#kept.reduce((sum, { bytes }) => sum + bytes.length, 0);
    return first + BigInt(this.#kept.length) - 1n;
  }

  /** What is there of an attempt's end: its result, or that it was cancelled. */
  endOf(dispatchId: string): Kept | undefined {
    return this.#kept.find((kept) => isEnd(kept) && kept.message.dispatchId === dispatchId);
  }

  get ends(): readonly AttachAgentRequest[] {
    return this.#kept.filter(isEnd).map(({ message }) => message);
  }

  #isOver(): boolean {
    return this.#kept.length > this.#limits.messages || this.#bytes > this.#limits.bytes;
  }

  #drop(kind: "event" | "turn"): boolean {
    const index = this.#kept.findIndex(({ message }) => message.message.case === kind);
    if (index < 0) return false;
    this.#removeAt(index);
    return true;
  }

  #removeAt(index: number): Kept | undefined {
    const [gone] = this.#kept.splice(index, 1);
    if (gone) this.#count(gone, -1);
    return gone;
  }

  #count(kept: Kept, by: 1 | -1): void {
    this.#bytes += by * kept.bytes.length;
    if (isEnd(kept)) this.#ends += by;
  }
}

function isEnd({ message: { message } }: Kept): boolean {
  return message.case === "result" || message.case === "cancelled";
}

/** Throws `AgentError` for a message that is larger than the hub takes. */
export function encoded(message: AttachAgentRequest): Kept {
  const bytes = encodeBinary(AttachAgentRequestSchema, message);
  const { length } = bytes;
  if (length <= defaultLimits.maxBytes) return { message, bytes };
  const what = `${length} bytes are more than the ${defaultLimits.maxBytes} that the hub takes`;
  throw new AgentError("BATON-SDK-005", what, { at: `a message of kind ${message.message.case}` });
}
