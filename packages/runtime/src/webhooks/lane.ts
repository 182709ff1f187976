import type { Clock } from "../ports/clock.ts";

const minuteMs = 60_000;

/** What waits for one receiver, and how fast it may go. */
export class Lane<Item> {
  readonly queue: Item[] = [];
  active = 0;
  /** Messages that may be sent now. */
  #room = Number.POSITIVE_INFINITY;
  #countedMs: number;
  #isSleeping = false;

  constructor(nowMs: number) {
    this.#countedMs = nowMs;
  }

  /** Takes the turn and returns zero, or returns how long to wait for one. */
  takeTurn(nowMs: number, perMinute: number | undefined): number {
    if (perMinute === undefined) return 0;
    const refilled = ((nowMs - this.#countedMs) * perMinute) / minuteMs;
    this.#room = Math.min(perMinute, this.#room + refilled);
    this.#countedMs = nowMs;
    if (this.#room < 1) return Math.ceil(((1 - this.#room) * minuteMs) / perMinute);
    this.#room--;
    return 0;
  }

  wakeAfter(clock: Pick<Clock, "after">, delayMs: number, wake: () => void): void {
    if (this.#isSleeping) return;
    this.#isSleeping = true;
    clock.after(delayMs, () => {
      this.#isSleeping = false;
      wake();
    });
  }
}
