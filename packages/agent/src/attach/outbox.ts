import { type AttachAgentRequest, AttachAgentRequestSchema, defaultLimits } from "@baton/contract";
import { toBinary } from "@bufbuild/protobuf";
import { AgentError } from "../agent-error.ts";
import { limits } from "../limits.ts";

interface Kept {
  readonly message: AttachAgentRequest;
  readonly bytes: number;
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
  readonly #kept: Kept[] = [];
  #bytes = 0;

  constructor(most: OutboxLimits = { messages: limits.outboxMessages, bytes: limits.outboxBytes }) {
    this.#limits = most;
  }

  get size(): number {
    return this.#kept.length;
  }

  /** More answers wait than an agent may hold: it takes no task until the hub has some of them. */
  get isFull(): boolean {
    return this.ends.length >= limits.unacknowledgedAnswers || this.#bytes > this.#limits.bytes;
  }

  /** Returns how many others had to go. Throws `AgentError` for a message that is larger than the hub takes. */
  add(message: AttachAgentRequest): number {
    const bytes = sizeOf(message);
    this.#kept.push({ message, bytes });
    this.#bytes += bytes;
    let dropped = 0;
    while (this.#isOver() && (this.#drop("event") || this.#drop("turn"))) dropped++;
    return dropped;
  }

  /** All messages up to this number are durable at the hub. */
  acknowledge(sequence: bigint): void {
    const first = this.#kept.findIndex(({ message }) => message.sequence > sequence);
    const gone = this.#kept.splice(0, first < 0 ? this.#kept.length : first);
    for (const { bytes } of gone) this.#bytes -= bytes;
  }

  /** Forgets one message, and gives it back. */
  take(sequence: bigint): AttachAgentRequest | undefined {
    const index = this.#kept.findIndex(({ message }) => message.sequence === sequence);
    return index < 0 ? undefined : this.#removeAt(index)?.message;
  }

  above(sequence: bigint): readonly AttachAgentRequest[] {
    return this.#kept.map(({ message }) => message).filter((message) => message.sequence > sequence);
  }

  /** Numbers all messages anew, in their order. Returns the last number. */
  renumber(first: bigint): bigint {
    for (const [index, { message }] of this.#kept.entries()) message.sequence = first + BigInt(index);
    return first + BigInt(this.#kept.length) - 1n;
  }

  /** What is there of an attempt's end: its result, or that it was cancelled. */
  endOf(dispatchId: string): AttachAgentRequest | undefined {
    return this.ends.find((message) => message.dispatchId === dispatchId);
  }

  get ends(): readonly AttachAgentRequest[] {
    return this.#kept
      .map(({ message }) => message)
      .filter(({ message: { case: kind } }) => kind === "result" || kind === "cancelled");
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
    this.#bytes -= gone?.bytes ?? 0;
    return gone;
  }
}

function sizeOf(message: AttachAgentRequest): number {
  const { length } = toBinary(AttachAgentRequestSchema, message);
  if (length <= defaultLimits.maxBytes) return length;
  const what = `${length} bytes are more than the ${defaultLimits.maxBytes} that the hub takes`;
  throw new AgentError("BATON-SDK-005", what, { at: `a message of kind ${message.message.case}` });
}
