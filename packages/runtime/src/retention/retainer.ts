import type { Clock } from "../ports/clock.ts";
import type { Store } from "../ports/store.ts";

/** How long events and turns stay, and how many bytes each tenant may have; undefined is unlimited. */
export interface RetentionOptions {
  readonly eventsMs: number | undefined;
  readonly eventsBytes: number | undefined;
  readonly turnsMs: number | undefined;
  readonly turnsBytes: number | undefined;
}

const day = 24 * 60 * 60 * 1000;
const gibibyte = 1024 ** 3;

/** The default of a server. */
export const defaultRetention: RetentionOptions = {
  eventsMs: 30 * day,
  eventsBytes: gibibyte,
  turnsMs: 90 * day,
  turnsBytes: 4 * gibibyte,
};

export const retentionRhythm = {
  /** Pause between rounds. */
  roundMs: 60_000,
  /** Pause between the steps of a round, for the batches of the hub. */
  stepMs: 50,
} as const;

export interface RetainerParts {
  readonly store: Pick<Store, "prune">;
  readonly clock: Clock;
  readonly options: RetentionOptions;
  readonly onProblem: (problem: Error) => void;
}

/**
 * Removes events and turns beyond the retention, in the background and in small steps. Journals and the audit record stay.
 */
export class Retainer {
  readonly #parts: RetainerParts;
  #stop: (() => void) | undefined;
  #step: Promise<void> = Promise.resolve();
  #isClosed = false;
  /** Reported once, until a step succeeds again. */
  #reported: string | undefined;

  constructor(parts: RetainerParts) {
    this.#parts = parts;
  }

  start(): void {
    const { eventsMs, eventsBytes, turnsMs, turnsBytes } = this.#parts.options;
    const isLimited = [eventsMs, eventsBytes, turnsMs, turnsBytes].some((limit) => limit !== undefined);
    if (isLimited) this.#after(retentionRhythm.roundMs);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stop?.();
    await this.#step;
  }

  #after(delayMs: number): void {
    this.#stop = this.#parts.clock.after(delayMs, () => {
      if (this.#isClosed) return;
      this.#step = this.#prune().then((isMore) => {
        if (!this.#isClosed) this.#after(isMore ? retentionRhythm.stepMs : retentionRhythm.roundMs);
      });
    });
  }

  async #prune(): Promise<boolean> {
    const { store, clock, options, onProblem } = this.#parts;
    const from = (keptMs: number | undefined) => (keptMs === undefined ? undefined : clock.nowMs() - keptMs);
    try {
      const isMore = await store.prune({
        events: { fromMs: from(options.eventsMs), bytes: options.eventsBytes },
        turns: { fromMs: from(options.turnsMs), bytes: options.turnsBytes },
      });
      this.#reported = undefined;
      return isMore;
    } catch (error) {
      const problem = error instanceof Error ? error : new Error(String(error));
      if (this.#reported !== problem.message) onProblem(problem);
      this.#reported = problem.message;
      return false;
    }
  }
}
