import type { AgentDefinition } from "./definition.ts";
import type { HubOptions } from "./hub-client.ts";
import type { OnProblem } from "./problem.ts";

/** What every agent is started with, whether it attaches or listens. */
export interface AgentOptions extends AgentDefinition, HubOptions {
  /** Names this running copy of the pack; random unless stated. Two copies must not share one. */
  readonly instanceId?: string;
  /** Told what the author should know; one line on stderr unless stated. */
  readonly onProblem?: OnProblem;
  /** Leave in good order on SIGTERM and SIGINT; true unless stated. A second signal ends the process at once. */
  readonly handleSignals?: boolean;
  /** How long the hub may be away before the agent gives up; for ever unless stated. */
  readonly giveUpAfterMs?: number;
}

export interface CloseOptions {
  /** How long running work may go on before it is stopped; 30 seconds unless stated. */
  readonly graceMs?: number;
}
