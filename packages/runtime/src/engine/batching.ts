import type { EngineLimits } from "./settings.ts";

/** The load of the engine when it chooses its next step. */
export interface Load {
  /** Inputs that wait for a decision. */
  readonly queued: number;
  /** Inputs decided in the open transaction. */
  readonly decided: number;
  /** Whether completed commands wait for a transaction. */
  readonly hasCompleted: boolean;
  /** Transactions that are being stored. */
  readonly inFlight: number;
}

/** How many inputs share a transaction, and when a transaction is committed (D2). */
export class BatchingPolicy {
  readonly #limits: EngineLimits;
  #isolated = 0;

  constructor(limits: EngineLimits) {
    this.#limits = limits;
  }

  /** Gives the next inputs a transaction each, to find the one that cannot be stored (D5). */
  isolate(count: number): void {
    this.#isolated += count;
  }

  /** How many inputs to decide before the loop checks the store again. */
  nextInputs({ decided }: Pick<Load, "decided">): number {
    return Math.max(0, Math.min(this.#room - decided, this.#limits.stride));
  }

  taken(count: number): void {
    this.#isolated = Math.max(0, this.#isolated - count);
  }

  mayDecide({ queued, decided }: Load): boolean {
    return queued > 0 && decided < this.#room;
  }

  /** A second transaction in flight pays only when it is large: a small one soon has more inputs. */
  mayCommit({ decided, hasCompleted, inFlight }: Load): boolean {
    if (decided === 0 && !hasCompleted) return false;
    return inFlight === 0 || (inFlight === 1 && decided >= this.#limits.ahead);
  }

  /** A transaction costs as much as many decisions: it waits for enough inputs while there are more to decide. */
  shouldCommit(load: Load): boolean {
    return this.mayCommit(load) && (load.decided >= this.#limits.enough || !this.mayDecide(load));
  }

  get #room(): number {
    return this.#isolated > 0 ? 1 : this.#limits.batch;
  }
}
