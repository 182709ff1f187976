import type { Clock } from "../src/ports/clock.ts";
import { calm } from "./patience.ts";

interface Alarm {
  readonly atMs: number;
  readonly callback: () => void;
}

/** Time that passes when a test says so. What is due at once, or soon, does not wait for that. */
export class VirtualClock implements Clock {
  readonly #alarms = new Set<Alarm>();
  #nowMs: number;

  constructor(nowMs = Date.UTC(2026, 0, 1)) {
    this.#nowMs = nowMs;
  }

  readonly nowMs = (): number => this.#nowMs;

  readonly soon = (callback: () => void): void => {
    setImmediate(callback);
  };

  readonly after = (delayMs: number, callback: () => void): (() => void) => {
    if (delayMs <= 0) {
      const immediate = setImmediate(callback);
      return () => clearImmediate(immediate);
    }
    const alarm = { atMs: this.#nowMs + delayMs, callback };
    this.#alarms.add(alarm);
    return () => void this.#alarms.delete(alarm);
  };

  /** Lets time pass from one alarm to the next; between them, what they lead to happens. */
  async pass(ms: number): Promise<void> {
    const untilMs = this.#nowMs + ms;
    await calm();
    for (let next = this.#next(untilMs); next; next = this.#next(untilMs)) {
      this.#alarms.delete(next);
      this.#nowMs = Math.max(this.#nowMs, next.atMs);
      next.callback();
      await calm();
    }
    this.#nowMs = untilMs;
    await calm();
  }

  /** Time passes all the while, for what has to wait for its own clock. */
  async during<Value>(promise: Promise<Value>, stepMs = 100): Promise<Value> {
    let over = false;
    const settled = promise.finally(() => {
      over = true;
    });
    settled.catch(() => {});
    for (let step = 0; !over && step < 1_000; step++) await this.pass(stepMs);
    return settled;
  }

  #next(untilMs: number): Alarm | undefined {
    let first: Alarm | undefined;
    for (const alarm of this.#alarms)
      if (alarm.atMs <= untilMs && (!first || alarm.atMs < first.atMs)) first = alarm;
    return first;
  }
}
