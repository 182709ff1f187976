import { TaskStopped } from "../agent-error.ts";

/** Whether an attempt is over, and why. Signal and error are created on demand, because most attempts need neither. */
export class Halt {
  #why: readonly [why: TaskStopped["why"], message: string] | undefined;
  #reason: TaskStopped | undefined;
  #controller: AbortController | undefined;

  get isOver(): boolean {
    return this.#why !== undefined;
  }

  get signal(): AbortSignal {
    if (this.#controller) return this.#controller.signal;
    this.#controller = new AbortController();
    if (this.#why) this.#controller.abort(this.#error(this.#why));
    return this.#controller.signal;
  }

  /** The first reason is kept. */
  stop(why: TaskStopped["why"], message: string): void {
    if (this.#why) return;
    this.#why = [why, message];
    this.#controller?.abort(this.#error(this.#why));
  }

  throwIfOver(): void {
    if (this.#why) throw this.#error(this.#why);
  }

  #error([why, message]: readonly [TaskStopped["why"], string]): TaskStopped {
    this.#reason ??= new TaskStopped(why, message);
    return this.#reason;
  }
}
