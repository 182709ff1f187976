import type { CancelAgentRequest, TaskEnvelope } from "@baton/contract";
import type { Engine } from "../../engine/engine.ts";
import type { IntakeBuffer } from "../../engine/intake-buffer.ts";
import type { Address } from "../../ports/agent-address.ts";
import type { AgentLink } from "../../ports/outside.ts";
import type { AgentReports } from "../agent-reports.ts";
import { NotDelivered } from "../push/agent-calls.ts";
import { Run } from "../push/run.ts";
import type { CommandCalls } from "./command-calls.ts";
import type { CommandRunLimits } from "./settings.ts";

export interface CommandLinkParts {
  readonly engine: Engine;
  readonly reports: AgentReports;
  readonly intake: IntakeBuffer;
  readonly limits: CommandRunLimits;
  readonly after: (delayMs: number, callback: () => void) => () => void;
  /** Removes secrets from a text of the command. */
  readonly plain: (text: string) => string;
}

/** How an attempt is started. */
export interface Definition {
  readonly calls: CommandCalls;
  /** Its preset makes the command enforce the rules of the task itself. */
  readonly restrained: boolean;
}

/** The link to a command: one attempt at a time, the next when no process of the last one runs any more (A §4.7). */
export class CommandLink implements AgentLink {
  readonly tenantId: string;
  readonly packId: string;
  readonly instanceId: string;
  readonly #parts: CommandLinkParts;
  #definition: Definition;
  /** By attempt: it ends as it began, even if the pack changes. */
  readonly #callsOf = new Map<string, CommandCalls>();
  readonly #runs = new Map<string, Run>();
  /** Cancelled while they waited. */
  readonly #cancelled = new Set<string>();
  /** Resolves when the last attempt of the queue is over. */
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

  /** For the next attempts; the one under way keeps its own. */
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
    // Its output is read until it ends.
    return true;
  }

  /** Ends every command. Resolves when none runs any more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const calls of this.#callsOf.values()) calls.close();
    const runs = [...this.#runs.values()];
    for (const run of runs) run.close();
    await Promise.all(runs.map(({ ended }) => ended));
  }
}
