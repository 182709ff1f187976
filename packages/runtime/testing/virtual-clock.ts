import type { Clock } from "../src/ports/clock.ts";
import { calm } from "./eventually.ts";

interface Alarm {
  readonly atMs: number;
  readonly callback: () => void;
}

/** A clock that a test advances. Callbacks of `soon`, and those due at once, run without that. */
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

  /** Advances from one callback to the next, and runs what follows from each before the next.*/
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

  /** Advances continuously, for code that waits for its own clock. */
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
