import {
  type AgentHeartbeat,
  type AgentManifest,
  type AttachAgentRequest,
  AttachAgentRequestSchema,
  type AttachWelcome,
} from "@baton/contract";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { encodeEntry, Outbox, type OutboxEntry } from "./outbox.ts";

type Body = NonNullable<MessageInitShape<typeof AttachAgentRequestSchema>["message"]>;
/** Messages that are kept until acknowledged. */
export type ReportBody = Extract<Body, { case: "turn" | "event" | "result" | "cancelled" | "step" }>;

export interface Held {
  readonly dispatchId: string;
  readonly attemptNumber: number;
}

/**
 * Numbers the messages of one session with the hub (docs/reference/agent-protocols.md).
 *
 * I1. Within a session a number identifies one message.
 * I2. Turns, events, steps, results and cancels are kept until acknowledged; hello and heartbeats are sent once.
 * I3. In a new session hello is 1, and the kept messages follow from 2 in their order.
 */
export class Session {
  readonly outbox: Outbox;
  #id = "";
  #last = 0n;

  constructor(outbox = new Outbox()) {
    this.outbox = outbox;
  }

  get id(): string {
    return this.#id;
  }

  hello(manifest: AgentManifest, heartbeat: AgentHeartbeat, held: readonly Held[]): OutboxEntry {
    const heldDispatches = held.map(({ dispatchId, attemptNumber }) => ({ dispatchId, attemptNumber }));
    const value = { manifest, heartbeat, resumeSessionId: this.#id, heldDispatches };
    // Messages kept before the first session are numbered at the welcome.
    this.#last = this.#id === "" ? 1n : this.#last + 1n;
    const message = { case: "hello", value } as const;
    return encodeEntry(create(AttachAgentRequestSchema, { sequence: this.#last, message }));
  }

  /** Returns the messages to send: those that the hub does not have. */
  welcomed({ sessionId, acknowledgedSequence }: AttachWelcome): readonly OutboxEntry[] {
    if (sessionId === this.#id) {
      this.outbox.acknowledge(acknowledgedSequence);
      return this.outbox.above(acknowledgedSequence);
    }
    this.#id = sessionId;
    this.#last = this.outbox.renumber(2n);
    return this.outbox.above(0n);
  }

  heartbeat(heartbeat: AgentHeartbeat): OutboxEntry {
    return encodeEntry(this.#next("", { case: "heartbeat", value: heartbeat }));
  }

  /** Numbers a message and keeps it. Throws without using a number when it is too large. */
  keep(dispatchId: string, body: ReportBody): OutboxEntry & { readonly dropped: number } {
    const message = this.#next(dispatchId, body);
    try {
      const entry = encodeEntry(message);
      return { ...entry, dropped: this.outbox.add(entry) };
    } catch (error) {
      this.#last--;
      throw error;
    }
  }

  #next(dispatchId: string, message: Body): AttachAgentRequest {
    this.#last++;
    return create(AttachAgentRequestSchema, { sequence: this.#last, dispatchId, message });
  }
}
