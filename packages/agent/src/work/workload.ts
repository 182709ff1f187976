import {
  type AgentResult,
  type CancelAgentRequest,
  CancelOutcome,
  type Event,
  type Step,
  type TaskEnvelope,
  type TurnEnvelope,
} from "@baton/contract";
import { AgentError } from "../agent-error.ts";
import type { AgentDefinition } from "../api/definition.ts";
import type { ToolPins } from "../api/tools.ts";
import { type CheckedEnvelope, checkEnvelope } from "../attempt-facts.ts";
import type { HealthMonitor } from "../health.ts";
import { limits } from "../limits.ts";
import { capacityOf } from "../manifest.ts";
import type { OnProblem } from "../problem.ts";
import { startTimer } from "../time.ts";
import type { UploadClient } from "../uploads/binary.ts";
import { type Attempt, type StopReason, startAttempt } from "./attempt.ts";
import { EndedAttempts } from "./ended-attempts.ts";

/** Receives the messages of attempts, and stores their steps. */
export interface AttemptSink {
  /** Resolves when the step is durable. */
  step(dispatchId: string, step: Step): Promise<void>;
  listSteps(dispatchId: string, after: number): Promise<readonly Step[]>;
  /** Compares definitions of tools with the accepted ones. */
  readonly pinTools: ToolPins["pin"];
  turn(dispatchId: string, turn: TurnEnvelope): void;
  event(dispatchId: string, event: Event): void;
  result(dispatchId: string, result: AgentResult): void;
}

export interface WorkloadParts {
  readonly definition: AgentDefinition;
  readonly instanceId: string;
  readonly health: HealthMonitor;
  readonly sink: AttemptSink;
  readonly uploads: UploadClient;
  readonly onProblem: OnProblem;
}

interface Held {
  readonly checked: CheckedEnvelope;
  readonly arrivedMs: number;
  /** Undefined while queued. */
  attempt?: Attempt;
  /** Answered, though `run` may not have returned. */
  isAnswered: boolean;
  startedMs: number;
}

/** What the agent did with an envelope. */
export type Taken = "taken" | "held" | "ended" | "full" | "closing";

/** The attempts of this agent: running up to its capacity, queued, and the ids of ended ones. */
export class Workload {
  readonly capacity: number;
  readonly #parts: WorkloadParts;
  /** In order of arrival. */
  readonly #held = new Map<string, Held>();
  readonly #ended = new EndedAttempts(limits.rememberedAttempts);
  /** How many of them have started. */
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

  /** Attempts that run or are queued, and are not answered. */
  get held(): readonly { readonly dispatchId: string; readonly attemptNumber: number }[] {
    return [...this.#held.values()]
      .filter(({ isAnswered }) => !isAnswered)
      .map(({ checked: { execution } }) => ({
        dispatchId: execution.dispatchId,
        attemptNumber: execution.attemptNumber,
      }));
  }

  /** Throws `AgentError` for an envelope that breaks a rule. Runs a dispatch_id once. */
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

  /** Resolves when `run` has returned, or after `limits.stopMs`. */
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
    const timeout = startTimer(limits.stopMs);
    await Promise.race([held.attempt.settled, timeout.over]);
    timeout.clear();
    return CancelOutcome.STOPPED;
  }

  /** Accepts nothing more. Returns the queued attempts; running ones continue. */
  close(): readonly CheckedEnvelope[] {
    this.#closing = true;
    const waiting = [...this.#held.values()].filter(({ attempt }) => !attempt);
    for (const { checked } of waiting) this.#forget(checked.execution.dispatchId);
    return waiting.map(({ checked }) => checked);
  }

  /** Resolves when all are answered, though `run` may not have returned. */
  async stopAll(why: StopReason): Promise<void> {
    const attempts = [...this.#held.values()].flatMap(({ attempt }) => attempt ?? []);
    for (const attempt of attempts) attempt.stop(why);
    await Promise.all(attempts.map(({ answered }) => answered));
  }

  /** Resolves when nothing runs or is queued. */
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
    const { definition, instanceId, health, sink, uploads, onProblem } = this.#parts;
    const attempt = startAttempt({
      ...held.checked,
      ...{ definition, instanceId, uploads, onProblem, arrivedMs: held.arrivedMs },
      noteTool: (tool, started) => health.noteTool(tool, started),
      sink: {
        turn: (turn) => sink.turn(dispatchId, turn),
        event: (event) => sink.event(dispatchId, event),
      },
      stepStore: {
        report: (step) => sink.step(dispatchId, step),
        list: (after) => sink.listSteps(dispatchId, after),
      },
      toolPins: { pin: (tools) => sink.pinTools(tools) },
    });
    held.attempt = attempt;
    this.#active++;
    held.startedMs = performance.now();
    const answered = attempt.answered.then((result) => {
      held.isAnswered = true;
      if (!result) return; // Cancelled.
      health.noteEnd(performance.now() - held.startedMs, result);
      sink.result(dispatchId, result);
    });
    answered.catch((cause) => {
      onProblem(
        new AgentError("BATON-SDK-005", "the result could not be sent", {
          at: `dispatch ${dispatchId}`,
          cause,
        }),
      );
    });
    // Capacity is freed only when `run` has returned: until then it uses resources.
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
