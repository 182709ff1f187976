import type { OrchestratorService } from "@baton/contract";
import type { CallOptions, Client } from "@connectrpc/connect";
import type { Patience } from "./patience.ts";
import type { Question } from "./types.ts";

/** What runs and questions call. */
export interface Link {
  readonly orchestrator: Client<typeof OrchestratorService>;
  readonly closed: AbortSignal;
  patience(signal?: AbortSignal): Patience;
  /** Repeats the call while the hub is away; each attempt has a deadline. */
  call<Answer>(attempt: (options: CallOptions) => Promise<Answer>, signal?: AbortSignal): Promise<Answer>;
  /** Open questions; the filter begins with AND, or is empty. */
  questions(filter: string): Promise<readonly Question[]>;
}
