/**
 * Handles a transaction that could not be stored (D4), or whose input the hub fails on (D5). Both rebuild the engine from the
 * store; they differ in whose inputs fail and in what is decided again.
 */
import { backoffDelayMs } from "@baton/contract";
import { RedactionFailure } from "@baton/kernel";
import { pause } from "../ports/clock.ts";
import { Conflict, OutOfSequence, StoreUnavailable } from "../ports/store-error.ts";
import { asError, type Committer, type Decided, type Failure } from "./committer.ts";
import type { EngineInput } from "./input.ts";
import type { EngineParts } from "./parts.ts";
import { hubFault, unredacted } from "./problems.ts";
import type { Transaction } from "./transaction.ts";

/** What recovery needs from the engine. */
export interface RecoveryHost {
  readonly committer: Committer;
  /** Inputs that wait for a decision, in order. */
  readonly queue: EngineInput[];
  /** Gives the next inputs a transaction each. */
  isolate(count: number): void;
  newTransaction(): Transaction;
  stopTimers(): void;
  /** Rebuilds the memory from the store. */
  reload(): Promise<void>;
  isClosed(): boolean;
  isAway(): boolean;
  /** Refuses inputs that can fail, for this reason, until `comeBack`. */
  goAway(reason: Error): void;
  comeBack(): void;
}

type RecoveryParts = Pick<EngineParts, "clock" | "settings" | "onProblem" | "onRecovered">;

export class Recovery {
  readonly #parts: RecoveryParts;
  readonly #engine: RecoveryHost;

  constructor(parts: RecoveryParts, engine: RecoveryHost) {
    this.#parts = parts;
    this.#engine = engine;
  }

  /** Nothing of the failed transaction happened, nor of those decided on top of it. */
  async recover(failure: Failure, onTop: readonly Decided[]): Promise<void> {
    const { inputs, error, stored } = failure;
    const later = onTop.flatMap((decided) => decided.inputs);
    if (stored || isOfStore(error)) await this.#outage([...inputs, ...later], error, [failure, ...onTop]);
    else await this.#findFault(inputs, later, error);
  }

  /** These inputs cannot be stored together. Isolated, all can except the one with the fault (D5). */
  async #findFault(
    inputs: readonly EngineInput[],
    later: readonly EngineInput[],
    error: Error,
  ): Promise<void> {
    const engine = this.#engine;
    this.#parts.onProblem?.(error);
    engine.stopTimers();
    const [only, ...others] = inputs;
    const isFound = only !== undefined && others.length === 0;
    const again = isFound ? later : [...inputs, ...later];
    engine.queue.unshift(...again);
    engine.isolate(again.length);
    let unanswered = isFound ? [only] : [];
    try {
      if (isFound) await this.#giveUp(only, error);
      unanswered = [];
      await engine.reload();
      this.#parts.onRecovered?.();
    } catch (failure) {
      await this.#outage(unanswered, asError(failure));
    }
  }

  /** Completes the command or timer behind the input, since it would only fail again. */
  async #giveUp(input: EngineInput, error: Error): Promise<void> {
    if (input.kind === "pipeline") {
      const transaction = this.#engine.newTransaction();
      transaction.refuse(input, error instanceof RedactionFailure ? unredacted : hubFault);
      await this.#engine.committer.commitNow(transaction);
    } else if (input.reply.failed) input.reply.failed(error);
    else if (input.kind === "fleet") input.reply.done(undefined);
    else input.reply.done();
  }

  /** Inputs that can fail do so; the others wait for the store. */
  async #outage(inputs: readonly EngineInput[], error: Error, given: readonly Decided[] = []): Promise<void> {
    const engine = this.#engine;
    if (engine.isClosed()) return;
    engine.goAway(error);
    this.#parts.onProblem?.(error);
    engine.stopTimers();
    const { queue } = engine;
    const all = [...inputs, ...queue];
    queue.splice(0, queue.length, ...all.filter(({ reply }) => reply.failed === undefined));
    for (const { reply } of all) reply.failed?.(error);
    await this.#retry(given);
  }

  /** The engine may be closed during an outage. */
  async #retry(given: readonly Decided[]): Promise<void> {
    const engine = this.#engine;
    const { retryStore } = this.#parts.settings.limits;
    for (let failures = 1; engine.isAway(); failures++) {
      await pause(this.#parts.clock, backoffDelayMs(failures, retryStore));
      if (!engine.isAway()) return;
      try {
        await engine.reload();
        if (!engine.isAway()) return;
        for (const decided of given) this.#dropStored(decided);
        engine.comeBack();
        this.#parts.onRecovered?.();
      } catch (error) {
        engine.goAway(asError(error));
      }
    }
  }

  /**
   * The batch is stored although its commit failed. No journal would show that the events of agents are stored, so that they
   * would be published twice.
   */
  #dropStored({ inputs, batch }: Decided): void {
    const { queue, committer } = this.#engine;
    if (batch === undefined || !committer.isStored(batch)) return;
    const stored = inputs.filter((input) => input.kind === "event");
    const dropped = new Set<EngineInput>(stored);
    queue.splice(0, queue.length, ...queue.filter((input) => !dropped.has(input)));
    for (const { reply } of stored) reply.done();
  }
}

/** Whether the store failed, or another process has written to it; otherwise the batch is at fault. */
function isOfStore(error: Error): boolean {
  if (error instanceof StoreUnavailable) return error.code !== "BATON-STORE-008";
  return error instanceof Conflict || error instanceof OutOfSequence;
}
