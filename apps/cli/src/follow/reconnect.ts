import { backoffDelayMs } from "@baton/contract";
import { CliError } from "../errors/cli-error.ts";
import type { Hub } from "../hub/connect-hub.ts";
import { limits } from "../limits.ts";
import { pause } from "../terminal/pause.ts";
import type { Watcher } from "./follow-pipeline.ts";

/** The note for an outage: the hub was stopped or killed, and stored runs are not lost. */
export function describeOutage({ address }: Pick<Hub, "address">): string {
  const minutes = limits.maxAbsenceMs / 60_000;
  return `the hub at ${address.host} has gone: it was stopped or killed, or cannot be reached; start it again and this goes on (trying for ${minutes} min)`;
}

/** Waits between attempts to reach the hub, and gives up after the longest outage. */
export class Reconnector {
  readonly #watcher: Pick<Watcher, "onDisconnect" | "onReconnect">;
  readonly #fix: string;
  #sinceMs: number | undefined;
  #tries = 0;

  /** @param fix printed when it gives up */
  constructor(watcher: Pick<Watcher, "onDisconnect" | "onReconnect">, fix: string) {
    this.#watcher = watcher;
    this.#fix = fix;
  }

  connected(): void {
    if (this.#sinceMs !== undefined && this.#tries > 1) this.#watcher.onReconnect();
    this.#sinceMs = undefined;
    this.#tries = 0;
  }

  async wait(signal: AbortSignal): Promise<void> {
    this.#sinceMs ??= performance.now();
    this.#tries += 1;
    // One end of a stream is reopened silently; only a second failure in a row is reported.
    if (this.#tries === 2) this.#watcher.onDisconnect();
    if (performance.now() - this.#sinceMs > limits.maxAbsenceMs) {
      throw new CliError("BATON-CLI-003", "the hub went away and did not come back", { fix: this.#fix });
    }
    const { firstReconnectMs: firstMs, maxReconnectMs: maxMs } = limits;
    const longest = backoffDelayMs(this.#tries, { firstMs, maxMs });
    await pause(longest * (0.5 + Math.random() / 2), signal);
  }
}
