import type { CancelAgentRequest, TaskEnvelope } from "@baton/contract";
import type { Driver } from "../../driver/driver.ts";
import type { WaitingRoom } from "../../hub/waiting-room.ts";
import type { AgentLink } from "../../ports/outside.ts";
import type { Address } from "../address.ts";
import type { AgentDesk } from "../agent-desk.ts";
import { NotDelivered } from "../push/agent-calls.ts";
import { Run } from "../push/run.ts";
import type { CommandCalls } from "./command-calls.ts";
import type { CommandRunLimits } from "./settings.ts";

export interface CommandLinkParts {
  readonly driver: Driver;
  readonly desk: AgentDesk;
  readonly room: WaitingRoom;
  readonly limits: CommandRunLimits;
  readonly after: (delayMs: number, callback: () => void) => () => void;
  /** Takes out of a text of the command what must not be kept. */
  readonly plain: (text: string) => string;
}

/** What an attempt is begun with. */
export interface Definition {
  readonly calls: CommandCalls;
  /** The command was told by its preset what it may do, and keeps to it. */
  readonly restrained: boolean;
}

/** The way to a command: one attempt at a time, and the next when nothing of the one before runs any more (A §4.7). */
export class CommandLink implements AgentLink {
  readonly tenantId: string;
  readonly packId: string;
  readonly instanceId: string;
  readonly #parts: CommandLinkParts;
  #definition: Definition;
  /** By attempt: it ends as it began, also when the pack has changed in between. */
  readonly #callsOf = new Map<string, CommandCalls>();
  readonly #runs = new Map<string, Run>();
  /** Told to stop before their turn came. */
  readonly #cancelled = new Set<string>();
  /** Whose turn it is, and who waits. */
  #last: Promise<void> = Promise.resolve();
  #waiting = new Set<string>();
  #isClosed = false;

  constructor(parts: CommandLinkParts, definition: Definition, { tenantId, packId, instanceId }: Address) {
    this.tenantId = tenantId;
    this.packId = packId;
    this.instanceId = instanceId;
    this.#definition = definition;
    this.#parts = parts;
  }

  /** The next attempts are begun with this. The one that is under way goes on with what it has. */
  use(definition: Definition): void {
    this.#definition = definition;
  }

  async send(envelope: TaskEnvelope): Promise<void> {
    const dispatchId = envelope.execution?.dispatchId ?? "";
    if (this.#runs.has(dispatchId) || this.#waiting.has(dispatchId)) return;
    const before = this.#last;
    const turn = Promise.withResolvers<void>();
    this.#last = turn.promise;
    this.#waiting.add(dispatchId);
    await before;
    this.#waiting.delete(dispatchId);
    if (this.#isClosed || this.#cancelled.delete(dispatchId)) {
      turn.resolve();
      throw new NotDelivered("it was cancelled before it began");
    }
    const { calls, restrained } = this.#definition;
    const { tenantId, packId, instanceId } = this;
    const from = { tenantId, packId, instanceId, restrained, isStartedHere: true };
    this.#callsOf.set(dispatchId, calls);
    const run = new Run(this.#parts, from, calls, envelope, dispatchId);
    this.#runs.set(dispatchId, run);
    void run.ended.then(() => {
      this.#callsOf.delete(dispatchId);
      this.#runs.delete(dispatchId);
      turn.resolve();
    });
    await run.accepted;
  }

  async cancel(request: CancelAgentRequest): Promise<boolean> {
    const { dispatchId } = request;
    if (this.#waiting.has(dispatchId)) this.#cancelled.add(dispatchId);
    await this.#callsOf.get(dispatchId)?.cancel(request);
    // What it still has to say it says until it is made to end; nothing is left of it then, so it is heard out.
    return true;
  }

  /** Ends everything that runs. Resolves when nothing does any more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const calls of this.#callsOf.values()) calls.close();
    const runs = [...this.#runs.values()];
    for (const run of runs) run.close();
    await Promise.all(runs.map(({ ended }) => ended));
  }
}
