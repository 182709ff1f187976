import {
  type AgentResult,
  type CancelAgentRequest,
  CancelOutcome,
  type Event,
  type TaskEnvelope,
  type TurnEnvelope,
} from "@baton/contract";
import { AgentError } from "../agent-error.ts";
import type { AgentDefinition } from "../definition.ts";
import { limits } from "../limits.ts";
import { capacityOf } from "../manifest.ts";
import type { OnProblem } from "../problem.ts";
import type { Checked } from "../task/attempt-facts.ts";
import { startTimer } from "../timer.ts";
import type { Vitals } from "../vitals.ts";
import { type Attempt, type StopReason, startAttempt } from "./attempt.ts";
import { checkEnvelope } from "./check-envelope.ts";
import { EndedAttempts } from "./ended-attempts.ts";

/** Where the messages of attempts go. */
export interface Outlet {
  turn(dispatchId: string, turn: TurnEnvelope): void;
  event(dispatchId: string, event: Event): void;
  result(dispatchId: string, result: AgentResult): void;
}

export interface WorkloadParts {
  readonly definition: AgentDefinition;
  readonly instanceId: string;
  readonly vitals: Vitals;
  readonly outlet: Outlet;
  readonly onProblem: OnProblem;
}

interface Held {
  readonly checked: Checked;
  readonly arrivedMs: number;
  /** Undefined while it waits. */
  attempt?: Attempt;
  /** Answered, though its function has not returned. */
  isAnswered: boolean;
  startedMs: number;
}

/** What became of an envelope: taken, here or ended already, or no room for it. */
export type Taken = "taken" | "held" | "ended" | "full" | "closing";

/** The attempts at this agent: as many at once as it has capacity, a few that wait, and the ids of those that ended. */
export class Workload {
  readonly capacity: number;
  readonly #parts: WorkloadParts;
  /** In the order they came. */
  readonly #held = new Map<string, Held>();
  readonly #ended = new EndedAttempts(limits.rememberedAttempts);
  /** How many of the held have begun. */
  #active = 0;
  #closing = false;
  #idle = Promise.withResolvers<void>();

  constructor(parts: WorkloadParts) {
    this.#parts = parts;
    this.capacity = capacityOf(parts.definition);
    this.#idle.resolve();
  }

  get active(): number {
    return this.#active;
  }

  get queued(): number {
    return this.#held.size - this.active;
  }

  get closing(): boolean {
    return this.#closing;
  }

  /** Attempts that are worked on or wait, and are not answered. */
  get held(): readonly { readonly dispatchId: string; readonly attemptNumber: number }[] {
    return [...this.#held.values()]
      .filter(({ isAnswered }) => !isAnswered)
      .map(({ checked: { execution } }) => ({
        dispatchId: execution.dispatchId,
        attemptNumber: execution.attemptNumber,
      }));
  }

  /** Throws `AgentError` for an envelope that breaks rules. The same dispatch_id is run once. */
  take(envelope: TaskEnvelope): Taken {
    const dispatchId = envelope.execution?.dispatchId ?? "";
    if (this.#held.has(dispatchId)) return "held";
    if (this.#ended.has(dispatchId)) return "ended";
    const checked = checkEnvelope(envelope);
    if (this.#closing) return "closing";
    if (this.#held.size >= this.capacity + limits.queuedAttempts) return "full";
    if (this.#held.size === 0) this.#idle = Promise.withResolvers();
    this.#held.set(dispatchId, { checked, arrivedMs: performance.now(), isAnswered: false, startedMs: 0 });
    this.#startNext();
    return "taken";
  }

  /** Answers when the function has returned, or after a while when it does not. */
  async cancel({ dispatchId, explanation }: CancelAgentRequest): Promise<CancelOutcome> {
    const held = this.#held.get(dispatchId);
    if (!held) return this.#ended.has(dispatchId) ? CancelOutcome.ALREADY_ENDED : CancelOutcome.UNKNOWN;
    if (!held.attempt) {
      this.#forget(dispatchId);
      return CancelOutcome.STOPPED;
    }
    held.attempt.stop("cancelled", explanation || undefined);
    const result = await held.attempt.answered;
    if (result) return CancelOutcome.ALREADY_ENDED;
    const patience = startTimer(limits.stopMs);
    await Promise.race([held.attempt.settled, patience.over]);
    patience.clear();
    return CancelOutcome.STOPPED;
  }

  /** Takes nothing more; what waits is given back, and what runs goes on. */
  close(): readonly Checked[] {
    this.#closing = true;
    const waiting = [...this.#held.values()].filter(({ attempt }) => !attempt);
    for (const { checked } of waiting) this.#forget(checked.execution.dispatchId);
    return waiting.map(({ checked }) => checked);
  }

  /** Resolves when all are answered, though their functions may not have returned. */
  async stopAll(why: StopReason): Promise<void> {
    const attempts = [...this.#held.values()].flatMap(({ attempt }) => attempt ?? []);
    for (const attempt of attempts) attempt.stop(why);
    await Promise.all(attempts.map(({ answered }) => answered));
  }

  /** Resolves when nothing runs or waits. */
  idle(): Promise<void> {
    return this.#idle.promise;
  }

  #startNext(): void {
    let free = Math.min(this.capacity - this.active, this.queued);
    if (free <= 0) return;
    for (const [dispatchId, held] of this.#held) {
      if (free <= 0) return;
      if (held.attempt) continue;
      this.#start(dispatchId, held);
      free--;
    }
  }

  #start(dispatchId: string, held: Held): void {
    const { definition, instanceId, vitals, outlet, onProblem } = this.#parts;
    const attempt = startAttempt({
      ...held.checked,
      ...{ definition, instanceId, onProblem, arrivedMs: held.arrivedMs },
      noteTool: (tool, started) => vitals.noteTool(tool, started),
      listener: {
        turn: (turn) => outlet.turn(dispatchId, turn),
        event: (event) => outlet.event(dispatchId, event),
      },
    });
    held.attempt = attempt;
    this.#active++;
    held.startedMs = performance.now();
    const answered = attempt.answered.then((result) => {
      held.isAnswered = true;
      if (!result) return; // Cancelled: nobody waits for an answer.
      vitals.noteEnd(performance.now() - held.startedMs, result);
      outlet.result(dispatchId, result);
    });
    answered.catch((cause) => {
      const what = "the answer could not be handed on";
      onProblem(new AgentError("BATON-SDK-005", what, { at: `dispatch ${dispatchId}`, cause }));
    });
    // The place is free when the function has returned: until then it uses what the capacity stands for.
    attempt.settled.then(() => this.#forget(dispatchId));
  }

  #forget(dispatchId: string): void {
    if (this.#held.get(dispatchId)?.attempt) this.#active--;
    this.#held.delete(dispatchId);
    this.#ended.add(dispatchId);
    this.#startNext();
    if (this.#held.size === 0) this.#idle.resolve();
  }
}
