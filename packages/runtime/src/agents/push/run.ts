import type { AgentResult, RunAgentResponse, TaskEnvelope } from "@baton/contract";
import type { Driver } from "../../driver/driver.ts";
import { pipelineOf } from "../../driver/order.ts";
import { HubError } from "../../hub/hub-error.ts";
import { sizeOf } from "../../hub/size-of.ts";
import type { Leave, WaitingRoom } from "../../hub/waiting-room.ts";
import type { AgentDesk, FromAgent, Speaker } from "../agent-desk.ts";
import { type AgentCalls, NotDelivered, type Said } from "./agent-calls.ts";
import type { PushLimits } from "./settings.ts";

export interface RunParts {
  readonly driver: Pick<Driver, "give">;
  readonly desk: Pick<AgentDesk, "take" | "answer">;
  /** Where messages wait that are not durable yet, of all agents. */
  readonly room: WaitingRoom;
  readonly limits: Pick<PushLimits, "runMessages" | "runBytes" | "outstanding" | "lingerMs">;
  readonly after: (delayMs: number, callback: () => void) => () => void;
  /** Takes out of a text of the agent what must not be kept. */
  readonly plain: (text: string) => string;
}

/**
 * One attempt at an agent that listens, from the call to the last word.
 *
 * R1. The attempt ends by what is said of it once: its result, that the result cannot be read, that it did not arrive,
 *     or that it is lost.
 * R2. Turns and events are handed on before the result that follows them.
 * R3. After the result only further results are handed on, so that the record shows them; the rest is passed over.
 */
export class Run {
  /** Resolves when the envelope is on its way, also when nobody can know; rejects when it certainly is not. */
  readonly accepted: Promise<void>;
  readonly ended: Promise<void>;
  readonly #parts: RunParts;
  readonly #from: Speaker;
  readonly #dispatchId: string;
  readonly #stream = new AbortController();
  readonly #outstanding = new Set<Promise<void>>();
  #messages = 0;
  #bytes = 0;
  #isAnswered = false;
  #isClosed = false;
  #stopLingering: (() => void) | undefined;

  constructor(parts: RunParts, from: Speaker, calls: AgentCalls, envelope: TaskEnvelope, dispatchId: string) {
    this.#parts = parts;
    this.#from = from;
    this.#dispatchId = dispatchId;
    const accepted = Promise.withResolvers<void>();
    this.accepted = accepted.promise;
    this.ended = this.#talk(calls, envelope, accepted);
  }

  /** The attempt is over: what the agent still has to say has a moment to come. */
  leave(): void {
    this.#stopLingering ??= this.#parts.after(this.#parts.limits.lingerMs, () => this.#stream.abort());
  }

  /** The hub hears no more of it, and says nothing about it. */
  close(): void {
    this.#isClosed = true;
    this.#stream.abort();
  }

  async #talk(
    calls: AgentCalls,
    envelope: TaskEnvelope,
    accepted: PromiseWithResolvers<void>,
  ): Promise<void> {
    let isAccepted = false;
    try {
      const said = await calls.run(envelope, this.#stream.signal);
      isAccepted = true;
      accepted.resolve();
      for await (const one of said) await this.#hear(one);
      this.#tell("agent-lost", "its stream ended without a result");
    } catch (error) {
      const reason = this.#parts.plain(error instanceof Error ? error.message : String(error));
      if (!(error instanceof NotDelivered)) this.#tell("agent-lost", reason);
      else if (isAccepted) this.#tell("not-delivered", reason);
      else accepted.reject(new NotDelivered(reason));
    } finally {
      accepted.resolve();
      this.#stopLingering?.();
      this.#stream.abort();
    }
  }

  async #hear(said: Said): Promise<void> {
    const { runMessages, runBytes } = this.#parts.limits;
    this.#messages++;
    this.#bytes += said.bytes;
    if (this.#messages > runMessages) throw new Error(`it said more than ${runMessages} messages`);
    if (this.#bytes > runBytes) throw new Error(`it said more than ${runBytes} bytes`);
    if (said.kind === "message") await this.#take(said.message);
    else if (said.kind === "unreadable") await this.#refuse(said);
  }

  async #take({ message }: RunAgentResponse): Promise<void> {
    switch (message.case) {
      case "turn":
      case "event": {
        if (this.#isAnswered) return;
        const leave = await this.#enter(message.value);
        if (this.#isClosed) return leave();
        const taken: Promise<void> = this.#handOn(message)
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

  /** Nothing more is read until there is room. It is never turned away: the agent would not say it again. */
  #enter(message: object): Promise<Leave> {
    const { tenantId } = this.#from;
    return this.#parts.room.waitToEnter(tenantId, sizeOf(message), Number.POSITIVE_INFINITY);
  }

  /** What the desk refuses is passed over: an agent that is called reads no answer to what it says. */
  async #handOn(message: FromAgent): Promise<void> {
    try {
      await this.#parts.desk.take(this.#from, this.#dispatchId, message, this);
    } catch (error) {
      if (!(error instanceof HubError)) throw error;
    }
  }

  /** The attempt that the result was taken for; undefined when it was refused. */
  async #answer(result: AgentResult): Promise<string | undefined> {
    try {
      return await this.#parts.desk.answer(this.#from, result, this.#dispatchId);
    } catch (error) {
      if (!(error instanceof HubError)) throw error;
      return undefined;
    }
  }

  async #refuse({ isResult, reason: fault, raw }: Extract<Said, { kind: "unreadable" }>): Promise<void> {
    const reason = this.#parts.plain(fault);
    if (!isResult && this.#isAnswered) return;
    if (!isResult) throw new Error(`it said what cannot be read: ${reason}`);
    await Promise.all(this.#outstanding);
    const dispatchId = this.#dispatchId;
    const answer = { kind: "unreadable", reason, raw } as const;
    await this.#parts.driver.give(pipelineOf(dispatchId), { type: "result", dispatchId, answer });
    this.#answered();
  }

  #answered(): void {
    this.#isAnswered = true;
    this.leave();
  }

  #tell(type: "agent-lost" | "not-delivered", reason: string): void {
    if (this.#isAnswered || this.#isClosed) return;
    const dispatchId = this.#dispatchId;
    void this.#parts.driver.give(pipelineOf(dispatchId), { type, dispatchId, reason });
  }
}
