import { CliError } from "../errors/cli-error.ts";
import { limits } from "../limits.ts";
import { pause } from "../terminal/pause.ts";
import type { Hub } from "./connect-hub.ts";
import type { Watcher } from "./follow-pipeline.ts";

/** For whoever waits for a hub that has gone: it may have been stopped or killed, and what is stored is not lost. */
export function describeAbsence({ address }: Pick<Hub, "address">): string {
  const minutes = limits.awayMs / 60_000;
  return `the hub at ${address.host} has gone: it was stopped or killed, or cannot be reached; start it again and this goes on (trying for ${minutes} min)`;
}

/** How long the hub has been away, and how long to wait before it is tried again. */
export class Absence {
  readonly #watcher: Pick<Watcher, "away" | "back">;
  readonly #fix: string;
  #sinceMs: number | undefined;
  #tries = 0;

  /** The way out is told when it is given up. */
  constructor(watcher: Pick<Watcher, "away" | "back">, fix: string) {
    this.#watcher = watcher;
    this.#fix = fix;
  }

  over(): void {
    if (this.#sinceMs !== undefined && this.#tries > 1) this.#watcher.back();
    this.#sinceMs = undefined;
    this.#tries = 0;
  }

  async wait(signal: AbortSignal): Promise<void> {
    this.#sinceMs ??= performance.now();
    this.#tries += 1;
    // A stream that ends now and then is opened again without a word; one that stays closed is worth one.
    if (this.#tries === 2) this.#watcher.away();
    if (performance.now() - this.#sinceMs > limits.awayMs) {
      throw new CliError("BATON-CLI-003", "the hub went away and did not come back", { fix: this.#fix });
    }
    const longest = Math.min(limits.firstReconnectMs * 2 ** (this.#tries - 1), limits.longestReconnectMs);
    await pause(longest * (0.5 + Math.random() / 2), signal);
  }
}
