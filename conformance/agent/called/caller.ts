import type { CancelAgentRequest, CancelOutcome, RunAgentResponse, TaskEnvelope } from "@baton/contract";
import type { DispatchOptions } from "../agent-under-test.ts";

/** How an agent that listens is called. */
export interface Caller {
  /**
   * Throws `Refused` when the call is not taken, and anything else when it broke off. Ends without a result when the
   * attempt was cancelled.
   */
  run(
    envelope: TaskEnvelope,
    options: DispatchOptions & { readonly signal: AbortSignal; readonly token?: string | undefined },
  ): AsyncIterable<RunAgentResponse>;
  cancel(request: CancelAgentRequest, signal: AbortSignal): Promise<CancelOutcome>;
  close(): void;
}

/** The agent does not take the call, and would not take it again. */
export class Refused extends Error {
  override readonly name = "Refused";
  /** The call shows no valid token. */
  readonly isUnauthenticated: boolean;

  constructor(message: string, isUnauthenticated = false) {
    super(message);
    this.isUnauthenticated = isUnauthenticated;
  }
}

export function authorization(token: string | undefined): Record<string, string> {
  return token === undefined ? {} : { authorization: `Bearer ${token}` };
}
