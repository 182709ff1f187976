import {
  type AgentResult,
  RunAgentResponseSchema,
  type Step,
  type TaskEnvelope,
  validate,
} from "@baton/contract";
import type { Attempt, DispatchOptions, End } from "../agent-under-test.ts";
import { Bell } from "../bell.ts";
import type { Complaints } from "../complaints.ts";
import { idsOf } from "../tasks.ts";
import { type Caller, Refused } from "./caller.ts";

export interface CallParts extends DispatchOptions {
  readonly caller: Caller;
  readonly envelope: TaskEnvelope;
  readonly patienceMs: number;
  readonly complaints: Complaints;
  readonly token: string | undefined;
}

/** One call to run an attempt, and everything received from it. */
export class Call implements Attempt {
  readonly envelope: TaskEnvelope;
  readonly results: AgentResult[] = [];
  readonly steps: Step[] = [];
  readonly #parts: CallParts;
  readonly #bell = new Bell();
  readonly #hangUp = new AbortController();
  #ended: End | undefined;
  /** The agent did not take the call, because it shows no valid token. */
  isUnauthenticated = false;

  constructor(parts: CallParts) {
    this.envelope = parts.envelope;
    this.#parts = parts;
    void this.#listen();
  }

  get ended(): End | undefined {
    return this.#ended;
  }

  end(): Promise<End> {
    const { dispatchId } = idsOf(this.envelope);
    return this.#bell.until(this.#parts.patienceMs, `an end of ${dispatchId}`, () => this.#ended);
  }

  /** The caller is gone, without a word. */
  hangUp(): void {
    this.#hangUp.abort();
  }

  async #listen(): Promise<void> {
    const { caller, envelope, hasNewerFields = false, token, complaints } = this.#parts;
    try {
      const output = caller.run(envelope, { hasNewerFields, token, signal: this.#hangUp.signal });
      for await (const response of output) {
        for (const { field, message } of validate(RunAgentResponseSchema, response)) {
          complaints.add(`${response.message.case}: ${field} ${message}`);
        }
        if (this.results.length > 0) complaints.add(`a ${response.message.case} after the result`);
        if (response.message.case === "step") this.steps.push(response.message.value);
        if (response.message.case === "result") this.results.push(response.message.value);
      }
      const [result] = this.results;
      this.#ended = result ? { kind: "result", result } : { kind: "cancelled" };
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.isUnauthenticated = error instanceof Refused && error.isUnauthenticated;
      this.#ended = error instanceof Refused ? { kind: "refused", why } : { kind: "broken", why };
    }
    this.#bell.ring();
  }
}
