import { ConnectError } from "@connectrpc/connect";
import { AgentError } from "./agent-error.ts";
import { whatHubSaid, withoutBytes } from "./hub-client.ts";
import type { OnProblem } from "./problem.ts";

export interface AbsenceParts {
  readonly address: string;
  readonly giveUpAfterMs: number | undefined;
  readonly onProblem: OnProblem;
  /** Called once when the hub is back after its absence was told. */
  readonly onBack: (address: string) => void;
}

/** How long the hub has been away: told once each time it goes, and borne as long as the author says. */
export class Absence {
  readonly #parts: AbsenceParts;
  #reachedMs = performance.now();
  #isTold = false;

  constructor(parts: AbsenceParts) {
    this.#parts = parts;
  }

  /** The hub answered. */
  end(): void {
    this.#reachedMs = performance.now();
    if (this.#isTold) this.#parts.onBack(this.#parts.address);
    this.#isTold = false;
  }

  /** The hub was there until now. */
  begin(error: unknown): void {
    this.#reachedMs = performance.now();
    this.#tell(error);
  }

  /** Throws when it has been long enough. */
  goOn(error: unknown): void {
    const { address, giveUpAfterMs = Number.POSITIVE_INFINITY } = this.#parts;
    const awayMs = performance.now() - this.#reachedMs;
    if (awayMs < giveUpAfterMs) return this.#tell(error);
    const what = `the hub has been away for ${Math.round(awayMs)} ms: ${reasonOf(error)}`;
    const fix = speaksOtherProtocol(error) ? { fix: grpcFix } : {};
    throw new AgentError("BATON-SDK-003", what, { at: address, cause: withoutBytes(error), ...fix });
  }

  #tell(error: unknown): void {
    if (this.#isTold) return;
    this.#isTold = true;
    const what = `the hub is away (${reasonOf(error)}); the agent keeps trying`;
    const fix = speaksOtherProtocol(error) ? { fix: grpcFix } : {};
    const detail = { at: this.#parts.address, cause: withoutBytes(error), ...fix };
    this.#parts.onProblem(new AgentError("BATON-SDK-015", what, detail));
  }
}

const grpcFix =
  "set BATON_HUB to the hub's gRPC address, which the hub prints first: 7433 unless told otherwise";

/** What answers there is no HTTP/2: most likely the port of the hub that browsers use. */
function speaksOtherProtocol(error: unknown): boolean {
  const cause = error instanceof ConnectError ? error.cause : error;
  return cause instanceof Error && "code" in cause && cause.code === "ERR_HTTP2_ERROR";
}

function reasonOf(error: unknown): string {
  if (speaksOtherProtocol(error)) return "what listens there does not speak gRPC";
  return error === undefined ? "it ended the stream" : whatHubSaid(error).message;
}
