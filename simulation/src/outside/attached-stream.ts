import type { AttachAgentRequest, AttachAgentResponse } from "@baton/contract";
import type { HubProcess } from "../hub/hub-process.ts";
import type { Sim } from "../sim.ts";
import { tenantId } from "../sim.ts";
import type { Network } from "./network.ts";

export interface StreamParts {
  readonly sim: Sim;
  readonly network: Network;
  readonly hubProcess: HubProcess;
  /** Called when the hub sends. */
  readonly leaving: (response: AttachAgentResponse) => void;
  /** Called when the agent receives. */
  readonly receive: (response: AttachAgentResponse) => void;
  readonly onBreak: () => void;
}

/** One stream through the hub's real entry point: messages arrive in order, or the stream breaks and all of them are lost. */
export class AttachedStream {
  readonly hubProcess: HubProcess;
  /** The hub has accepted the agent. */
  isWelcome = false;
  readonly #parts: StreamParts;
  readonly #up = new Mailbox<AttachAgentRequest>();
  readonly #leave = new AbortController();
  #isOpen = true;
  /** Arrival of the last message in each direction: none overtakes another. */
  #upAtMs = 0;
  #downAtMs = 0;

  constructor(parts: StreamParts) {
    this.#parts = parts;
    this.hubProcess = parts.hubProcess;
    void this.#listen();
  }

  send(request: AttachAgentRequest): void {
    this.#upAtMs = this.#carry(this.#upAtMs, () => this.#up.push(request));
  }

  async #listen(): Promise<void> {
    const { hubProcess, sim, leaving, receive } = this.#parts;
    const caller = { tenantId, id: "agent-key", kind: "agent" } as const;
    try {
      for await (const response of hubProcess.hub.attached.attach(caller, this.#up, this.#leave.signal)) {
        if (hubProcess.isOver) return;
        leaving(response);
        const breaks = response.message.case === "dispatch" && sim.faults.strikes("transport failure");
        if (breaks) this.break();
        if (this.#isOpen) this.#downAtMs = this.#carry(this.#downAtMs, () => receive(response));
      }
    } catch {
      // The agent was refused, and tries again.
    }
    this.break();
  }

  /** Returns the time of arrival. A lost message breaks the stream. */
  #carry(lastMs: number, deliver: () => void): number {
    const { sim, network } = this.#parts;
    if (sim.faults.strikes("message dropped", 0.3)) this.break();
    const atMs = Math.max(lastMs, sim.clock.nowMs + network.delayMs());
    sim.clock.at(atMs, () => {
      if (this.#isOpen) deliver();
    });
    return atMs;
  }

  /** Both ends notice independently; the hub possibly only with the next stream. */
  break(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    const { sim, onBreak } = this.#parts;
    if (sim.faults.stopped || sim.random.chance(0.8))
      sim.clock.after(sim.random.int(0, 4_000), () => this.#leave.abort());
    onBreak();
  }
}

/** Messages on their way up a stream. */
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
