import {
  type Contract,
  type Execution,
  type TaskEnvelope,
  TaskEnvelopeSchema,
  type TraceContext,
  validate,
} from "@baton/contract";
import { AgentError } from "./agent-error.ts";
import type { AgentDefinition } from "./api/definition.ts";
import type { Stopwatch } from "./time.ts";

/** A valid envelope and its required parts. */
export interface CheckedEnvelope {
  readonly envelope: TaskEnvelope;
  readonly contract: Contract;
  readonly trace: TraceContext;
  readonly execution: Execution;
}

/** What does not change during an attempt. */
export interface AttemptFacts extends CheckedEnvelope {
  readonly definition: AgentDefinition;
  readonly instanceId: string;
  readonly stopwatch: Stopwatch;
}

/** Throws `AgentError` for an envelope that breaks a rule of the contract. */
export function checkEnvelope(envelope: TaskEnvelope): CheckedEnvelope {
  const [violation] = validate(TaskEnvelopeSchema, envelope);
  const { contract, trace, execution } = envelope;
  if (!violation && contract && trace && execution) return { envelope, contract, trace, execution };
  const reason = violation ? `${violation.field} ${violation.message}` : "a required part is missing";
  const at = execution?.dispatchId ? `dispatch ${execution.dispatchId}` : "an envelope";
  throw new AgentError("BATON-SDK-018", `the hub sent a task that breaks a rule: ${reason}`, { at });
}
