import {
  type AgentHeartbeat,
  type AgentManifest,
  type AttachAgentRequest,
  AttachAgentRequestSchema,
  type AttachWelcome,
} from "@baton/contract";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { encoded, type Kept, Outbox } from "./outbox.ts";

type Body = NonNullable<MessageInitShape<typeof AttachAgentRequestSchema>["message"]>;
/** What is kept until the hub has it. */
export type KeptBody = Extract<Body, { case: "turn" | "event" | "result" | "cancelled" }>;

export interface Held {
  readonly dispatchId: string;
  readonly attemptNumber: number;
}

/**
 * The numbers of one session with the hub (docs/reference/agent-protocols.md).
 *
 * I1. Within a session no number is used for two messages.
 * I2. Turns, events, results and cancels are kept until the hub has them; hello and heartbeats are said once.
 * I3. A new session begins with hello as 1, and what is kept follows from 2 on, in its order.
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

  hello(manifest: AgentManifest, heartbeat: AgentHeartbeat, held: readonly Held[]): Kept {
    const heldDispatches = held.map(({ dispatchId, attemptNumber }) => ({ dispatchId, attemptNumber }));
    const value = { manifest, heartbeat, resumeSessionId: this.#id, heldDispatches };
    // What was kept before the first session gets its number with the welcome.
    this.#last = this.#id === "" ? 1n : this.#last + 1n;
    const message = { case: "hello", value } as const;
    return encoded(create(AttachAgentRequestSchema, { sequence: this.#last, message }));
  }

  /** Returns what has to be sent now: what the hub does not have. */
  welcomed({ sessionId, acknowledgedSequence }: AttachWelcome): readonly Kept[] {
    if (sessionId === this.#id) {
      this.outbox.acknowledge(acknowledgedSequence);
      return this.outbox.above(acknowledgedSequence);
    }
    this.#id = sessionId;
    this.#last = this.outbox.renumber(2n);
    return this.outbox.above(0n);
  }

  heartbeat(heartbeat: AgentHeartbeat): Kept {
    return encoded(this.#next("", { case: "heartbeat", value: heartbeat }));
  }

  /** Numbers a message and keeps it. Throws, and uses no number, when it is too large. */
  keep(dispatchId: string, body: KeptBody): { readonly bytes: Uint8Array; readonly dropped: number } {
    const message = this.#next(dispatchId, body);
    try {
      const kept = encoded(message);
      return { bytes: kept.bytes, dropped: this.outbox.add(kept) };
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
