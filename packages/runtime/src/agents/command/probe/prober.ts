import { backoffDelayMs } from "@baton/contract";

/**
 * Probes regularly whether the command of a pack can work.
 *
 * P1. The first probe ends before work is sent; probes do not overlap.
 * P2. A command that cannot work is probed with exponential backoff; one that can, every `wellMs`.
 * P3. An attempt that fails for such a reason counts as a failed probe: no work is sent until a probe passes.
 */
export interface ProberParts {
  /** Why it cannot work; undefined when it can. */
  readonly probe: (signal: AbortSignal) => Promise<string | undefined>;
  readonly after: (delayMs: number, callback: () => void) => () => void;
  /** The outcome has changed. */
  readonly onChange: () => void;
}

export const probeTimes = { firstMs: 5_000, maxMs: 300_000, wellMs: 600_000 } as const;

export class Prober {
  readonly #parts: ProberParts;
  #why: string | undefined;
  #failures = 0;
  readonly #closing = new AbortController();
  #asking: Promise<void> = Promise.resolve();
  #stop: () => void = () => {};

  constructor(parts: ProberParts) {
    this.#parts = parts;
  }

  /** Why the command cannot work, as of the last probe. */
  get why(): string | undefined {
    return this.#why;
  }

  /** Resolves after one probe. */
  begin(): Promise<void> {
    this.#asking = this.#ask();
    return this.#asking;
  }

  /** An attempt failed for this reason. */
  fail(why: string): void {
    this.#failures++;
    this.#set(why);
    this.#plan();
  }

  /** Resolves when no probe runs any more. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#stop();
    await this.#asking;
  }

  get #isClosed(): boolean {
    return this.#closing.signal.aborted;
  }

  async #ask(): Promise<void> {
    const failures = this.#failures;
    const why = await this.#parts.probe(this.#closing.signal);
    // An attempt that failed meanwhile is more recent.
    if (this.#isClosed || failures !== this.#failures) return;
    this.#failures = why === undefined ? 0 : failures + 1;
    this.#set(why);
    this.#plan();
  }

  #set(why: string | undefined): void {
    const changed = why !== this.#why;
    this.#why = why;
    if (changed && !this.#isClosed) this.#parts.onChange();
  }

  #plan(): void {
    if (this.#isClosed) return;
    this.#stop();
    const delayMs = this.#failures === 0 ? probeTimes.wellMs : backoffDelayMs(this.#failures, probeTimes);
    this.#stop = this.#parts.after(delayMs, () => void this.begin());
  }
}
