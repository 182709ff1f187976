import { setTimeout as pause } from "node:timers/promises";
import { backoffDelayMs, ErrorDetailSchema } from "@baton/contract";
import { Code, ConnectError } from "@connectrpc/connect";
import { ClientError, refusal } from "./client-error.ts";

const transientCodes: ReadonlySet<Code> = new Set([
  Code.Unavailable,
  Code.DeadlineExceeded,
  Code.ResourceExhausted,
  Code.Aborted,
  Code.Canceled,
]);
const backoff = { firstMs: 100, maxMs: 5_000 };

/** Waits between attempts while the hub is away, and gives up after the longest outage. */
export class Patience {
  readonly #outageMs: number;
  readonly #signal: AbortSignal;
  #sinceMs: number | undefined;
  #tries = 0;

  constructor(outageMs: number, signal: AbortSignal) {
    this.#outageMs = outageMs;
    this.#signal = signal;
  }

  /** The hub has answered. */
  reset(): void {
    this.#sinceMs = undefined;
    this.#tries = 0;
  }

  /** Resolves when it is time for the next attempt. Throws what does not pass by itself. */
  async wait(error?: unknown): Promise<void> {
    this.#signal.throwIfAborted();
    if (error !== undefined && !isTransient(error))
      throw error instanceof ConnectError ? refusal(error) : error;
    this.#sinceMs ??= performance.now();
    this.#tries++;
    if (performance.now() - this.#sinceMs > this.#outageMs)
      throw new ClientError("BATON-CLIENT-003", "the hub is away", { cause: error });
    const longestMs = backoffDelayMs(this.#tries, backoff);
    await pause(longestMs * (0.5 + Math.random() / 2), undefined, { signal: this.#signal });
  }
}

/** Whether the error can pass by itself. An error of the hub has a detail, that of a broken connection none. */
function isTransient(error: unknown): boolean {
  if (!(error instanceof ConnectError)) return false;
  if (transientCodes.has(error.code)) return true;
  const isBroken = error.code === Code.Internal || error.code === Code.Unknown;
  return isBroken && error.findDetails(ErrorDetailSchema).length === 0;
}
