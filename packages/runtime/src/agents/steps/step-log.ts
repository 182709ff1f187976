import { type Step, StepSchema } from "@baton/contract";
import type { Engine } from "../../engine/engine.ts";
import { HubError } from "../../ports/hub-error.ts";
import { accept } from "../accept.ts";
import { reportedStep, rowOf } from "./step-rows.ts";

/** The attempt that reports. */
interface Attempt {
  readonly tenantId: string;
  readonly pipelineId: string;
  readonly dispatchId: string;
}

/**
 * Stores a step of an attempt with the decision about it, so that both are durable or neither. Throws `HubError` when the
 * kernel refuses the step. Waits during an outage of the store.
 */
export async function storeStep(engine: Engine, attempt: Attempt, given: Step): Promise<void> {
  const step = accept(StepSchema, given);
  const row = rowOf(step);
  const { pipelineId, dispatchId } = attempt;
  const input = { type: "step", dispatchId, step: reportedStep(step, row.valueBytes) } as const;
  const outcome = await engine.enqueue(pipelineId, input, { step: { ...attempt, ...row } });
  if (outcome.accepted) return;
  const { code, message, fix } = outcome.problem;
  throw new HubError(code === "BATON-STEP-003" ? "exhausted" : "precondition", code, message, { fix });
}
