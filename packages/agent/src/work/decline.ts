import type { AgentResult } from "@baton/contract";
import type { AgentDefinition } from "../definition.ts";
import { composeResult } from "../outcomes/compose-result.ts";
import { outcomesFor } from "../outcomes/outcomes.ts";
import { startStopwatch } from "../stopwatch.ts";
import { Artifacts } from "../task/artifacts.ts";
import type { Checked } from "../task/attempt-facts.ts";
import { EvidenceLog } from "../task/evidence-log.ts";
import { Notes } from "../task/notes.ts";
import { Safety } from "../task/safety.ts";

/** The answer to a task that is not begun here: another attempt, elsewhere or later, may succeed. */
export function declined(
  checked: Checked,
  { definition, instanceId }: { readonly definition: AgentDefinition; readonly instanceId: string },
  { code, reason }: { readonly code: string; readonly reason: string },
): AgentResult {
  const { contract, execution, envelope } = checked;
  const gathered = {
    facts: { ...checked, definition, instanceId, stopwatch: startStopwatch() },
    evidence: new EvidenceLog(),
    artifacts: new Artifacts(undefined, contract),
    notes: new Notes(contract.taskId, execution.dispatchId),
    safety: new Safety(envelope),
  };
  const { failure } = outcomesFor((verdict) => composeResult(gathered, verdict));
  return failure(reason, { code, retryable: true, noEvidence: reason });
}
