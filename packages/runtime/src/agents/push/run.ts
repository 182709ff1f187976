import type { AgentResult, RunAgentResponse, TaskEnvelope } from "@baton/contract";
import type { Engine } from "../../engine/engine.ts";
import type { IntakeBuffer, Leave } from "../../engine/intake-buffer.ts";
import { sizeOf } from "../../lib/memory-size.ts";
import { HubError } from "../../ports/hub-error.ts";
import { pipelineOf } from "../../ports/stored-command.ts";
import type { AgentReports, FromAgent, Reporter } from "../agent-reports.ts";
import { type AgentCalls, NotDelivered, type RunMessage } from "./agent-calls.ts";
import type { PushLimits } from "./settings.ts";

export interface RunParts {
  readonly engine: Pick<Engine, "enqueue">;
  readonly reports: Pick<AgentReports, "take" | "answer">;
  /** Messages of all agents that are not durable yet. */
  readonly intake: IntakeBuffer;
  readonly limits: Pick<PushLimits, "runMessages" | "runBytes" | "outstanding" | "lingerMs">;
  readonly after: (delayMs: number, callback: () => void) => () => void;
  /** Removes secrets from a text of the agent. */
  readonly plain: (text: string) => string;
}

/**
 * One call of a push or command agent for an attempt.
 *
 * R1. The attempt gets one outcome: its result, an unreadable result, not delivered, or lost.
 * R2. Turns, events and steps are taken before the result that follows them.
 * R3. After the result only further results are taken, so that they are on record; the rest is ignored.
 */
export class Run {
  /** Rejects when the agent certainly does not have the envelope; resolves when it has or may have it. */
  readonly accepted: Promise<void>;
  readonly ended: Promise<void>;
  readonly #parts: RunParts;
  readonly #from: Reporter;
  readonly #dispatchId: string;
  readonly #stream = new AbortController();
  readonly #outstanding = new Set<Promise<void>>();
  #messages = 0;
  #bytes = 0;
  #isAnswered = false;
  #isClosed = false;
  #stopLingering: (() => void) | undefined;

  constructor(
    parts: RunParts,
    from: Reporter,
    calls: AgentCalls,
    envelope: TaskEnvelope,
    dispatchId: string,
  ) {
    this.#parts = parts;
    this.#from = from;
    this.#dispatchId = dispatchId;
    const accepted = Promise.withResolvers<void>();
    this.accepted = accepted.promise;
    this.ended = this.#call(calls, envelope, accepted);
  }

  /** The attempt is over: late messages are read for a moment. */
  leave(): void {
    this.#stopLingering ??= this.#parts.after(this.#parts.limits.lingerMs, () => this.#stream.abort());
  }

  /** Ends the call without an outcome. */
  close(): void {
    this.#isClosed = true;
    this.#stream.abort();
  }

  async #call(
    calls: AgentCalls,
    envelope: TaskEnvelope,
    accepted: PromiseWithResolvers<void>,
  ): Promise<void> {
    let isAccepted = false;
    try {
      const messages = await calls.run(envelope, this.#stream.signal);
      isAccepted = true;
      accepted.resolve();
      for await (const message of messages) await this.#receive(message);
      this.#report("agent-lost", "its stream ended without a result");
    } catch (error) {
      const reason = this.#parts.plain(error instanceof Error ? error.message : String(error));
      if (!(error instanceof NotDelivered)) this.#report("agent-lost", reason);
      else if (isAccepted) this.#report("not-delivered", reason);
      else accepted.reject(new NotDelivered(reason));
    } finally {
      accepted.resolve();
      this.#stopLingering?.();
      this.#stream.abort();
    }
  }

  async #receive(message: RunMessage): Promise<void> {
    const { runMessages, runBytes } = this.#parts.limits;
    this.#messages++;
    this.#bytes += message.bytes;
    if (this.#messages > runMessages) throw new Error(`it sent more than ${runMessages} messages`);
    if (this.#bytes > runBytes) throw new Error(`it sent more than ${runBytes} bytes`);
    if (message.kind === "message") await this.#take(message.message, message.settled);
    else if (message.kind === "unreadable") await this.#refuse(message);
  }

  async #take({ message }: RunAgentResponse, settled?: (refused?: HubError) => void): Promise<void> {
    switch (message.case) {
      case "turn":
      case "event":
      case "step": {
        if (this.#isAnswered) return;
        const leave = await this.#enter(message.value);
        if (this.#isClosed) return leave();
        const taken: Promise<void> = this.#takeReport(message, settled)
          .catch((error: unknown) => this.#stream.abort(error))
          .finally(() => {
            leave();
            this.#outstanding.delete(taken);
          });
        this.#outstanding.add(taken);
        if (this.#outstanding.size >= this.#parts.limits.outstanding) await Promise.race(this.#outstanding);
        return;
      }
      case "result": {
        await Promise.all(this.#outstanding);
        const leave = await this.#enter(message.value);
        const dispatchId = await this.#answer(message.value).finally(leave);
        if (dispatchId === this.#dispatchId) this.#answered();
      }
    }
  }

  /** Waits until there is room. Never refuses: the agent would not repeat the message. */
  #enter(message: object): Promise<Leave> {
    const { tenantId } = this.#from;
    return this.#parts.intake.waitToEnter(tenantId, sizeOf(message), Number.POSITIVE_INFINITY);
  }

  /** An agent that is called cannot receive refusals; a command can. */
  async #takeReport(message: FromAgent, settled?: (refused?: HubError) => void): Promise<void> {
    try {
      await this.#parts.reports.take(this.#from, this.#dispatchId, message, this);
      settled?.();
    } catch (error) {
      if (!(error instanceof HubError)) throw error;
      settled?.(error);
    }
  }

  /** The attempt that the result counts for; undefined when it was refused. */
  async #answer(result: AgentResult): Promise<string | undefined> {
    try {
      return await this.#parts.reports.answer(this.#from, result, this.#dispatchId);
    } catch (error) {
      if (!(error instanceof HubError)) throw error;
      return undefined;
    }
  }

  async #refuse({
    isResult,
    reason: fault,
    raw,
  }: Extract<RunMessage, { kind: "unreadable" }>): Promise<void> {
    const reason = this.#parts.plain(fault);
    if (!isResult && this.#isAnswered) return;
    if (!isResult) throw new Error(`it sent a message that cannot be read: ${reason}`);
    await Promise.all(this.#outstanding);
    const dispatchId = this.#dispatchId;
    const answer = { kind: "unreadable", reason, raw } as const;
    await this.#parts.engine.enqueue(pipelineOf(dispatchId), { type: "result", dispatchId, answer });
    this.#answered();
  }

  #answered(): void {
    this.#isAnswered = true;
    this.leave();
  }

  #report(type: "agent-lost" | "not-delivered", reason: string): void {
    if (this.#isAnswered || this.#isClosed) return;
    const dispatchId = this.#dispatchId;
    void this.#parts.engine.enqueue(pipelineOf(dispatchId), { type, dispatchId, reason });
  }
}
