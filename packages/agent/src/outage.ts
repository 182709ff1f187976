import { backoffDelayMs } from "@baton/contract";
import { ConnectError } from "@connectrpc/connect";
import { AgentError } from "./agent-error.ts";
import { hubMessage, withoutDetails } from "./hub-client.ts";
import { limits } from "./limits.ts";
import type { OnProblem } from "./problem.ts";

export interface OutageOptions {
  readonly address: string;
  readonly giveUpAfterMs: number | undefined;
  readonly onProblem: OnProblem;
  /** Called once when the hub is back after a reported outage. */
  readonly onBack: (address: string) => void;
}

/** Tracks how long the hub has been unreachable. Each outage is reported once. */
export class Outage {
  readonly #options: OutageOptions;
  #reachedMs = performance.now();
  #isReported = false;

  constructor(options: OutageOptions) {
    this.#options = options;
  }

  /** The hub answered. */
  end(): void {
    this.#reachedMs = performance.now();
    if (this.#isReported) this.#options.onBack(this.#options.address);
    this.#isReported = false;
  }

  /** The hub was reachable until now. */
  begin(error: unknown): void {
    this.#reachedMs = performance.now();
    this.#report(error);
  }

  /** Another try failed. Throws when the outage exceeds `giveUpAfterMs`. */
  continue(error: unknown): void {
    const { giveUpAfterMs = Number.POSITIVE_INFINITY } = this.#options;
    const awayMs = performance.now() - this.#reachedMs;
    if (awayMs < giveUpAfterMs) return this.#report(error);
    const message = `the hub has been unreachable for ${Math.round(awayMs)} ms: ${reasonOf(error)}`;
    throw this.#error("BATON-SDK-003", message, error);
  }

  #report(error: unknown): void {
    if (this.#isReported) return;
    this.#isReported = true;
    const message = `the hub is unreachable (${reasonOf(error)}); the agent keeps trying`;
    this.#options.onProblem(this.#error("BATON-SDK-015", message, error));
  }

  #error(code: "BATON-SDK-003" | "BATON-SDK-015", message: string, error: unknown): AgentError {
    const fix = speaksOtherProtocol(error) ? { fix: grpcFix } : {};
    return new AgentError(code, message, {
      at: this.#options.address,
      cause: withoutDetails(error),
      ...fix,
    });
  }
}

const grpcFix = "set BATON_HUB to the hub's gRPC address, the first that the hub prints (default port: 7433)";

/** The peer does not speak HTTP/2: most likely it is the hub's port for browsers. */
function speaksOtherProtocol(error: unknown): boolean {
  const cause = error instanceof ConnectError ? error.cause : error;
  return cause instanceof Error && "code" in cause && cause.code === "ERR_HTTP2_ERROR";
}

function reasonOf(error: unknown): string {
  if (speaksOtherProtocol(error)) return "the port does not speak gRPC";
  return error === undefined ? "it ended the stream" : hubMessage(error).message;
}

/** The delay before the next try: full jitter below a bound that doubles with each failure. */
export class Backoff {
  readonly #random: () => number;
  #failures = 0;
  #shortStreams = 0;

  constructor(random: () => number = Math.random) {
    this.#random = random;
  }

  /** A welcomed stream resets the failures, except when such streams keep ending at once. */
  streamEnded(livedMs: number | undefined): void {
    if (livedMs === undefined) {
      this.#failures++;
      return;
    }
    this.#failures = 0;
    this.#shortStreams = livedMs < limits.shortStreamMs ? this.#shortStreams + 1 : 0;
  }

  nextMs(): number {
    const { reconnectFirstMs: firstMs, reconnectMostMs: maxMs } = limits;
    return this.#random() * backoffDelayMs(this.#failures + this.#shortStreams, { firstMs, maxMs });
  }
}
