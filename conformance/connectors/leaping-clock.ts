import { type Clock, systemClock } from "@baton/runtime";

interface Alarm {
  readonly dueMs: number;
  readonly ring: () => void;
}

/** The clock of the machine, which a test may put forward. What is due by then rings at once, and nobody has to wait for it. */
export class LeapingClock implements Clock {
  readonly #clock = systemClock();
  readonly #alarms = new Set<Alarm>();
  #aheadMs = 0;

  readonly nowMs = (): number => this.#clock.nowMs() + this.#aheadMs;

  readonly soon = (callback: () => void): void => this.#clock.soon(callback);

  readonly after = (delayMs: number, callback: () => void): (() => void) => {
    const stop = () => {
      this.#alarms.delete(alarm);
      stopWaiting();
    };
    const ring = () => {
      stop();
      callback();
    };
    const alarm = { dueMs: this.nowMs() + delayMs, ring };
    const stopWaiting = this.#clock.after(delayMs, ring);
    this.#alarms.add(alarm);
    return stop;
  };

  leap(ms: number): void {
    this.#aheadMs += ms;
    for (const { dueMs, ring } of [...this.#alarms]) if (dueMs <= this.nowMs()) ring();
  }
}
