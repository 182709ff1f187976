import { type TaskEnvelope, TaskEnvelopeSchema, validate } from "@baton/contract";
import { AgentError } from "../agent-error.ts";
import type { Checked } from "../task/attempt-facts.ts";

/** The parts that every envelope has, or the error that names what is wrong. */
export function checkEnvelope(envelope: TaskEnvelope): Checked {
  const [violation] = validate(TaskEnvelopeSchema, envelope);
  const { contract, trace, execution } = envelope;
  if (!violation && contract && trace && execution) return { envelope, contract, trace, execution };
  const reason = violation ? `${violation.field} ${violation.message}` : "a part of it is missing";
  const at = execution?.dispatchId ? `dispatch ${execution.dispatchId}` : "an envelope";
  throw new AgentError("BATON-SDK-018", `the hub sent a task that breaks a rule: ${reason}`, { at });
}
