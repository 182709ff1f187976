import type { HubMode } from "@baton/kernel";
import type { EgressFilter, Hub } from "@baton/runtime";
import { Code, type ConnectError } from "@connectrpc/connect";
import { refuse } from "./errors/refuse.ts";

/** The interval at which health watchers check for a change without a notification. */
const checkIntervalMs = 1_000;

/** Whether the hub accepts work, for probes and calls. */
export class Readiness {
  readonly #hub: Pick<Hub, "whyNotReady" | "stoppedTenants">;
  readonly #retryAfterMs: number;
  readonly #filter: Pick<EgressFilter, "failures">;
  readonly #listeners = new Set<() => void>();
  /** How strict the hub is, if configured. */
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

  /** Conditions that need attention although the hub accepts work. Without paths: anyone may read them. */
  warnings(): readonly string[] {
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
    this.#notify();
  }

  refuseWhenStopping(): void {
    if (this.#stopping) throw stopping(this.#retryAfterMs);
  }

  /** Resolves when the state may have changed: at an interval, when the server stops, or when the signal fires. */
  changed(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        this.#listeners.delete(done);
        signal.removeEventListener("abort", done);
        if (this.#listeners.size === 0) clearInterval(this.#timer);
        resolve();
      };
      if (this.#listeners.size === 0)
        this.#timer = setInterval(() => this.#notify(), checkIntervalMs).unref();
      this.#listeners.add(done);
      signal.addEventListener("abort", done);
      if (signal.aborted) done();
    });
  }

  #notify(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}

export function stopping(retryAfterMs: number): ConnectError {
  return refuse({
    code: Code.Unavailable,
    id: "BATON-SERVER-010",
    message: "the hub is stopping",
    fix: "try again after the given time",
    retryAfterMs,
  });
}
