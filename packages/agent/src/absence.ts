import { AgentError } from "./agent-error.ts";
import { whatHubSaid, withoutBytes } from "./hub-client.ts";
import type { OnProblem } from "./problem.ts";

export interface AbsenceParts {
  readonly address: string;
  readonly giveUpAfterMs: number | undefined;
  readonly onProblem: OnProblem;
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
    throw new AgentError("BATON-SDK-003", what, { at: address, cause: withoutBytes(error) });
  }

  #tell(error: unknown): void {
    if (this.#isTold) return;
    this.#isTold = true;
    const what = `the hub is away (${reasonOf(error)}); the agent keeps trying`;
    const detail = { at: this.#parts.address, cause: withoutBytes(error) };
    this.#parts.onProblem(new AgentError("BATON-SDK-015", what, detail));
  }
}

function reasonOf(error: unknown): string {
  return error === undefined ? "it ended the stream" : whatHubSaid(error).message;
}
