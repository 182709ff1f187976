import type { CancelAgentRequest } from "@baton/contract";

export interface HeldCancelLimits {
  /** How long an instance is tried to be told. Whoever still lives is heard of sooner, by its heartbeats. */
  readonly holdMs: number;
  /** Cancels that wait; beyond, the oldest is given up. */
  readonly most: number;
}

export const defaultHeldCancelLimits: HeldCancelLimits = { holdMs: 60_000, most: 10_000 };

type After = (delayMs: number, callback: () => void) => () => void;

/** Cancels for instances that cannot be reached now. Each is given up in the end: its instance may never come back. */
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

  /** From now on its time runs. */
  begin(name: string, request: CancelAgentRequest, done: () => void): HeldCancel {
    const cancel = new HeldCancel(name, request, done);
    cancel.stopTime = this.#after(this.#limits.holdMs, () => this.#giveUp(cancel));
    return cancel;
  }

  hold(cancel: HeldCancel): void {
    if (cancel.isSettled) return;
    this.#all.add(cancel);
    this.#waiting.set(cancel.name, (this.#waiting.get(cancel.name) ?? new Set()).add(cancel));
    const [oldest] = this.#all;
    if (oldest && this.#all.size > this.#limits.most) this.#giveUp(oldest);
  }

  /** What waits for an instance of this name: whoever takes it settles it, or lets it be held again. */
  take(name: string): readonly HeldCancel[] {
    const waiting = [...(this.#waiting.get(name) ?? [])];
    for (const cancel of waiting) this.#remove(cancel);
    return waiting;
  }

  /** They are told anew. */
  forget(): void {
    for (const cancel of [...this.#all]) {
      cancel.stopTime();
      this.#remove(cancel);
    }
  }

  #giveUp(cancel: HeldCancel): void {
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

/** To be told to an instance, until it is settled: the instance has it, or it is given up. */
export class HeldCancel {
  /** Of the instance. */
  readonly name: string;
  readonly request: CancelAgentRequest;
  readonly #done: () => void;
  stopTime: () => void = () => {};
  isSettled = false;

  constructor(name: string, request: CancelAgentRequest, done: () => void) {
    this.name = name;
    this.request = request;
    this.#done = done;
  }

  settle(): void {
    if (this.isSettled) return;
    this.isSettled = true;
    this.stopTime();
    this.#done();
  }
}
