import type { HubMode } from "@baton/kernel";
import type { EgressFilter, Hub } from "@baton/runtime";
import { stopping } from "./rpc/stopping.ts";

/** How often watchers of the health hear of a change that nobody told. */
const lookEveryMs = 1_000;

/** Whether the hub takes work, for probes and for those who would bring some. */
export class Readiness {
  readonly #hub: Pick<Hub, "whyNotReady" | "stoppedTenants">;
  readonly #retryAfterMs: number;
  readonly #filter: Pick<EgressFilter, "failures">;
  readonly #listeners = new Set<() => void>();
  /** How strict the hub is, where whoever started it says so. */
  readonly mode: HubMode | undefined;
  #stopping = false;
  #moreWarnings: () => readonly string[] = () => [];
  #timer: NodeJS.Timeout | undefined;

  constructor(
    hub: Pick<Hub, "whyNotReady" | "stoppedTenants">,
    retryAfterMs: number,
    filter: Pick<EgressFilter, "failures">,
    mode?: HubMode,
  ) {
    this.#hub = hub;
    this.mode = mode;
    this.#filter = filter;
    this.#retryAfterMs = retryAfterMs;
  }

  /** Undefined when it is ready. */
  whyNot(): string | undefined {
    return this.#stopping ? "the hub is stopping" : this.#hub.whyNotReady();
  }

  /** What somebody has to look at, although work is taken. Anybody may read it, so it names no places. */
  warnings(): readonly string[] {
    // What was not written or sent since it could not be redacted.
    const failures = this.#filter.failures.map(
      ({ egress, code, count }) => `redaction failed: ${egress} ${code}, ${count} times`,
    );
    const { length: stopped } = this.#hub.stoppedTenants();
    const halted =
      stopped === 0 ? [] : [`${stopped === 1 ? "1 tenant is" : `${stopped} tenants are`} stopped`];
    return [...failures, ...halted, ...this.#moreWarnings()];
  }

  warnWith(more: () => readonly string[]): void {
    this.#moreWarnings = more;
  }

  stop(): void {
    this.#stopping = true;
    this.#tell();
  }

  refuseWhenStopping(): void {
    if (this.#stopping) throw stopping(this.#retryAfterMs);
  }

  /** Resolves when it is time to look again: now and then, at once when the server stops, or when the signal fires. */
  changed(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        this.#listeners.delete(done);
        signal.removeEventListener("abort", done);
        if (this.#listeners.size === 0) clearInterval(this.#timer);
        resolve();
      };
      if (this.#listeners.size === 0) this.#timer = setInterval(() => this.#tell(), lookEveryMs).unref();
      this.#listeners.add(done);
      signal.addEventListener("abort", done);
      if (signal.aborted) done();
    });
  }

  #tell(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}
