import { type AgentResult, FailureStrategy, Outcome } from "@baton/contract";
import { type PipelineState, type StageState, sentOf } from "../../kernel.ts";
import { demand } from "../../violation.ts";
import type { Fold, Memory, Step } from "./step.ts";

/** Each outcome leads where A §4.3 step 5 says. */
export function checkOutcome({ input, records, before }: Step, after: PipelineState): void {
  const received = records.find((record) => record.type === "received");
  if (!received || !before || input.type !== "result" || input.answer.kind !== "result") return;
  const outcome = input.answer.result.status?.outcome;
  const stage = before.stages[received.stage];
  const plan = before.plan.stages[received.stage];
  const ends = records
    .filter((record) => "stage" in record && record.stage === received.stage)
    .map(({ type }) => type);
  if (tookTooManySteps(stage, input.answer.result)) return;
  const told = () => `${Outcome[outcome ?? 0]} led to ${ends.join(", ")}`;
  if (outcome === Outcome.POLICY_BLOCKED) {
    demand(ends.includes("failed") && after.life.status === "PAUSED", "what is forbidden pauses", told);
  }
  if (outcome === Outcome.NON_RETRYABLE_FAILURE) {
    const ended = ends.includes("failed") || ends.includes("skipped");
    demand(ended && !ends.includes("retried"), "what cannot be retried is not", told);
  }
  if (outcome !== Outcome.RETRYABLE_FAILURE || !stage || !plan) return;
  const attemptsLeft = stage.attempt - stage.roundStart + 1 < plan.retry.maxAttempts;
  const retriesLeft = before.retriesUsed < before.plan.limits.maxTotalRetries;
  demand(ends.includes("retried") === (attemptsLeft && retriesLeft), "what may be retried is", told);
}

/** An agent that took more steps than it may has ended its attempt with that, whatever it says. */
function tookTooManySteps(stage: StageState | undefined, { usage }: AgentResult): boolean {
  const allowed = (stage && sentOf(stage)?.envelope.safety?.maxAutonomousSteps) || Number.POSITIVE_INFINITY;
  return (usage?.steps ?? 0) > allowed;
}

/** A stage is left out only where it may be, and a pipeline fails only where the strategy says so (A §4.2, §4.5). */
export function checkStrategy({ record, before }: Fold, { policy }: Memory): void {
  const strategy = policy?.failureStrategy || FailureStrategy.PAUSE;
  if (record.type === "pipeline-failed") {
    demand(
      strategy === FailureStrategy.FAIL_FAST,
      "only FAIL_FAST fails a pipeline",
      () => FailureStrategy[strategy],
    );
  }
  if (record.type !== "skipped" && record.type !== "pruned") return;
  const plan = before?.plan.stages[record.stage];
  demand(plan?.required === false, "a required stage is never left out", () => `stage ${record.stage}`);
  demand(
    record.type === "pruned" || strategy === FailureStrategy.SKIP_FAILED || plan.errorStage !== undefined,
    "a failed stage is skipped only by SKIP_FAILED or when another takes over",
    () => `stage ${record.stage} with ${FailureStrategy[strategy]}`,
  );
}
