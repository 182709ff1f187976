import { type AttachAgentRequest, AttachAgentRequestSchema, encodeBinary } from "@baton/contract";
import { checkMessageSize } from "../hub-client.ts";
import { limits } from "../limits.ts";

/** A numbered message and its encoding. */
export interface OutboxEntry {
  readonly message: AttachAgentRequest;
  readonly bytes: Uint8Array;
}

export interface OutboxLimits {
  readonly messages: number;
  readonly bytes: number;
}

/**
 * Unacknowledged messages in the order of their numbers. Beyond the limits the oldest events are dropped, then the
 * oldest turns. Results and cancels are never dropped, of which there are at most as many as attempts, nor steps.
 */
export class Outbox {
  readonly #limits: OutboxLimits;
  #kept: OutboxEntry[] = [];
  #bytes = 0;
  /** How many of them end an attempt. */
  #ends = 0;

  constructor(bounds: OutboxLimits = { messages: limits.outboxMessages, bytes: limits.outboxBytes }) {
    this.#limits = bounds;
  }

  get size(): number {
    return this.#kept.length;
  }

  /** Too many results are unacknowledged: the agent accepts no task until the hub acknowledges some. */
  get isFull(): boolean {
    return this.#ends >= limits.unacknowledgedAnswers || this.#bytes > this.#limits.bytes;
  }

  /** Returns how many others were dropped. */
  add(kept: OutboxEntry): number {
    this.#kept.push(kept);
    this.#count(kept, 1);
    let dropped = 0;
    while (this.#isOver() && (this.#drop("event") || this.#drop("turn"))) dropped++;
    return dropped;
  }

  /** All messages up to this number are durable at the hub. Returns those. */
  acknowledge(sequence: bigint): readonly AttachAgentRequest[] {
    const first = this.#kept.findIndex(({ message }) => message.sequence > sequence);
    const gone = this.#kept.splice(0, first < 0 ? this.#kept.length : first);
    for (const kept of gone) this.#count(kept, -1);
    return gone.map(({ message }) => message);
  }

  has(message: AttachAgentRequest): boolean {
    return this.#kept.some((kept) => kept.message === message);
  }

  /** Removes one message and returns it. */
  remove(sequence: bigint): AttachAgentRequest | undefined {
    const index = this.#kept.findIndex(({ message }) => message.sequence === sequence);
    return index < 0 ? undefined : this.#removeAt(index)?.message;
  }

  above(sequence: bigint): readonly OutboxEntry[] {
    return this.#kept.filter(({ message }) => message.sequence > sequence);
  }

  /** Renumbers all messages in their order. Returns the last number. */
  renumber(first: bigint): bigint {
    this.#kept = this.#kept.map(({ message }, index) => {
      message.sequence = first + BigInt(index);
      return encodeEntry(message);
    });
    this.#bytes = this.#kept.reduce((sum, { bytes }) => sum + bytes.length, 0);
    return first + BigInt(this.#kept.length) - 1n;
  }

  /** The message that ends the attempt: its result, or that it was cancelled. */
  endOf(dispatchId: string): OutboxEntry | undefined {
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

  #removeAt(index: number): OutboxEntry | undefined {
    const [gone] = this.#kept.splice(index, 1);
    if (gone) this.#count(gone, -1);
    return gone;
  }

  #count(kept: OutboxEntry, by: 1 | -1): void {
    this.#bytes += by * kept.bytes.length;
    if (isEnd(kept)) this.#ends += by;
  }
}

function isEnd({ message: { message } }: OutboxEntry): boolean {
  return message.case === "result" || message.case === "cancelled";
}

/** Throws `AgentError` for a message that is larger than the hub accepts. */
export function encodeEntry(message: AttachAgentRequest): OutboxEntry {
  const bytes = encodeBinary(AttachAgentRequestSchema, message);
  checkMessageSize(bytes.length, message.message.case);
  return { message, bytes };
}
