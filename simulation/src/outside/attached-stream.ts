import type { AttachAgentRequest, AttachAgentResponse } from "@baton/contract";
import type { Life } from "../hub/hub-process.ts";
import type { Sim } from "../sim.ts";
import { tenantId } from "../sim.ts";
import type { Network } from "./network.ts";

export interface StreamParts {
  readonly sim: Sim;
  readonly network: Network;
  readonly life: Life;
  /** The hub says something, at its end. */
  readonly leaving: (response: AttachAgentResponse) => void;
  /** The agent hears it, at its own. */
  readonly hear: (response: AttachAgentResponse) => void;
  readonly onBreak: () => void;
}

/** One stream through the hub's real door for it: what is on it arrives in order, or it breaks and all of it is gone. */
export class AttachedStream {
  readonly life: Life;
  /** The hub has let the agent in. */
  isWelcome = false;
  readonly #parts: StreamParts;
  readonly #up = new Mailbox<AttachAgentRequest>();
  readonly #leave = new AbortController();
  #isOpen = true;
  /** When the last message in each direction arrives: none overtakes another. */
  #upAtMs = 0;
  #downAtMs = 0;

  constructor(parts: StreamParts) {
    this.#parts = parts;
    this.life = parts.life;
    void this.#listen();
  }

  send(request: AttachAgentRequest): void {
    this.#upAtMs = this.#carry(this.#upAtMs, () => this.#up.push(request));
  }

  async #listen(): Promise<void> {
    const { life, sim, leaving, hear } = this.#parts;
    const caller = { tenantId, id: "agent-key", kind: "agent" } as const;
    try {
      for await (const response of life.hub.attached.attach(caller, this.#up, this.#leave.signal)) {
        if (life.isOver) return;
        leaving(response);
        const breaks = response.message.case === "dispatch" && sim.faults.strikes("transport failure");
        if (breaks) this.break();
        if (this.#isOpen) this.#downAtMs = this.#carry(this.#downAtMs, () => hear(response));
      }
    } catch {
      // The agent was not let in, and tries again.
    }
    this.break();
  }

  /** When it arrives. A message that is lost takes the stream with it. */
  #carry(lastMs: number, deliver: () => void): number {
    const { sim, network } = this.#parts;
    if (sim.faults.strikes("message dropped", 0.3)) this.break();
    const atMs = Math.max(lastMs, sim.clock.nowMs + network.delayMs());
    sim.clock.at(atMs, () => {
      if (this.#isOpen) deliver();
    });
    return atMs;
  }

  /** Both ends notice, each in its own time; the hub's end perhaps only when there is a newer stream. */
  break(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    const { sim, onBreak } = this.#parts;
    if (sim.faults.stopped || sim.random.chance(0.8))
      sim.clock.after(sim.random.int(0, 4_000), () => this.#leave.abort());
    onBreak();
  }
}

/** What is on its way up a stream: the hub takes it when it comes to it. */
export class Mailbox<Message> implements AsyncIterable<Message> {
  readonly #messages: Message[] = [];
  #wake: (() => void) | undefined;

  push(message: Message): void {
    this.#messages.push(message);
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Message> {
    for (;;) {
      const next = this.#messages.shift();
      if (next !== undefined) yield next;
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
    }
  }
}
