import { type AgentResult, ContextOutSchema, UsageSchema } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import type { AgentDefinition } from "../api/definition.ts";
import type { CheckedEnvelope } from "../attempt-facts.ts";
import { composeResult } from "../outcomes/compose-result.ts";
import { outcomesFor } from "../outcomes/outcomes.ts";
import { startStopwatch } from "../time.ts";

/** The result of an attempt that is not started here: another attempt, elsewhere or later, may succeed. */
export function declined(
  checked: CheckedEnvelope,
  { definition, instanceId }: { readonly definition: AgentDefinition; readonly instanceId: string },
  { code, reason }: { readonly code: string; readonly reason: string },
): AgentResult {
  const facts = { ...checked, definition, instanceId, stopwatch: startStopwatch() };
  const nothing = {
    evidence: [],
    artifacts: [],
    contextOut: create(ContextOutSchema),
    usage: create(UsageSchema),
  };
  const { failure } = outcomesFor((verdict) => composeResult(facts, nothing, verdict));
  return failure(reason, { code, retryable: true, noEvidence: reason });
}
