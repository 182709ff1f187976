import type { CancelAgentRequest } from "@baton/contract";

export interface HeldCancelLimits {
  /** How long a cancel waits for its instance. One that is alive sends a heartbeat sooner. */
  readonly holdMs: number;
  /** Cancels that wait; beyond, the oldest is dropped. */
  readonly max: number;
}

export const defaultHeldCancelLimits: HeldCancelLimits = { holdMs: 60_000, max: 10_000 };

type After = (delayMs: number, callback: () => void) => () => void;

/** Cancels for instances that cannot be reached now. Each expires: its instance may never come back. */
export class HeldCancels {
  readonly #limits: HeldCancelLimits;
  readonly #after: After;
  /** By the name of the instance. */
  readonly #waiting = new Map<string, Set<HeldCancel>>();
  /** The oldest first. */
  readonly #all = new Set<HeldCancel>();

  constructor(after: After, limits: HeldCancelLimits = defaultHeldCancelLimits) {
    this.#after = after;
    this.#limits = limits;
  }

  /** Starts its timeout. */
  begin(name: string, request: CancelAgentRequest, done: () => void): HeldCancel {
    const cancel = new HeldCancel(name, request, done);
    cancel.stopTimeout = this.#after(this.#limits.holdMs, () => this.#expire(cancel));
    return cancel;
  }

  hold(cancel: HeldCancel): void {
    if (cancel.isSettled) return;
    this.#all.add(cancel);
    this.#waiting.set(cancel.name, (this.#waiting.get(cancel.name) ?? new Set()).add(cancel));
    const [oldest] = this.#all;
    if (oldest && this.#all.size > this.#limits.max) this.#expire(oldest);
  }

  /** Removes the cancels that wait for an instance of this name. The caller settles each, or holds it again. */
  take(name: string): readonly HeldCancel[] {
    const waiting = [...(this.#waiting.get(name) ?? [])];
    for (const cancel of waiting) this.#remove(cancel);
    return waiting;
  }

  /** Drops all without settling them: recovery sends them again. */
  forget(): void {
    for (const cancel of [...this.#all]) {
      cancel.stopTimeout();
      this.#remove(cancel);
    }
  }

  #expire(cancel: HeldCancel): void {
    this.#remove(cancel);
    cancel.settle();
  }

  #remove(cancel: HeldCancel): void {
    this.#all.delete(cancel);
    const waiting = this.#waiting.get(cancel.name);
    waiting?.delete(cancel);
    if (waiting?.size === 0) this.#waiting.delete(cancel.name);
  }
}

/** A cancel, until it is settled: its instance has it, or it has expired. */
export class HeldCancel {
  /** The name of the instance. */
  readonly name: string;
  readonly request: CancelAgentRequest;
  readonly #done: () => void;
  stopTimeout: () => void = () => {};
  isSettled = false;

  constructor(name: string, request: CancelAgentRequest, done: () => void) {
    this.name = name;
    this.request = request;
    this.#done = done;
  }

  settle(): void {
    if (this.isSettled) return;
    this.isSettled = true;
    this.stopTimeout();
    this.#done();
  }
}
