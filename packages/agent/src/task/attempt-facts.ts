import type { Contract, Execution, TaskEnvelope, TraceContext } from "@baton/contract";
import type { AgentDefinition } from "../definition.ts";
import type { Stopwatch } from "../stopwatch.ts";

/** An envelope whose required parts are known to be there. */
export interface Checked {
  readonly envelope: TaskEnvelope;
  readonly contract: Contract;
  readonly trace: TraceContext;
  readonly execution: Execution;
}

/** What does not change during an attempt. */
export interface AttemptFacts extends Checked {
  readonly definition: AgentDefinition;
  readonly instanceId: string;
  readonly stopwatch: Stopwatch;
}
