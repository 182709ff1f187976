import { type AgentResult, FailureStrategy, Outcome } from "@baton/contract";
import { type PipelineState, type StageState, sentOf } from "../../kernel.ts";
import { invariant } from "../../violation.ts";
import type { Fold, Model, Step } from "./step.ts";

/** Each outcome has the effect that A §4.3 step 5 defines. */
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
  const detail = () => `${Outcome[outcome ?? 0]} led to ${ends.join(", ")}`;
  if (outcome === Outcome.POLICY_BLOCKED) {
    invariant(
      ends.includes("failed") && after.life.status === "PAUSED",
      "POLICY_BLOCKED pauses the pipeline",
      detail,
    );
  }
  if (outcome === Outcome.NON_RETRYABLE_FAILURE) {
    const ended = ends.includes("failed") || ends.includes("skipped");
    invariant(ended && !ends.includes("retried"), "a non-retryable failure is not retried", detail);
  }
  if (outcome !== Outcome.RETRYABLE_FAILURE || !stage || !plan) return;
  const attemptsLeft = stage.attempt - stage.roundStart + 1 < plan.retry.maxAttempts;
  const retriesLeft = before.retriesUsed < before.plan.limits.maxTotalRetries;
  invariant(
    ends.includes("retried") === (attemptsLeft && retriesLeft),
    "a retryable failure is retried",
    detail,
  );
}

/** Too many steps end the attempt, whatever its result says. */
function tookTooManySteps(stage: StageState | undefined, { usage }: AgentResult): boolean {
  const allowed = (stage && sentOf(stage)?.envelope.safety?.maxAutonomousSteps) || Number.POSITIVE_INFINITY;
  return (usage?.steps ?? 0) > allowed;
}

/** A stage is skipped only where allowed, and a pipeline fails only where the strategy says so (A §4.2, §4.5). */
export function checkStrategy({ record, before }: Fold, { policy }: Model): void {
  const strategy = policy?.failureStrategy || FailureStrategy.PAUSE;
  if (record.type === "pipeline-failed") {
    invariant(
      strategy === FailureStrategy.FAIL_FAST,
      "only FAIL_FAST fails a pipeline",
      () => FailureStrategy[strategy],
    );
  }
  if (record.type !== "skipped" && record.type !== "pruned") return;
  const plan = before?.plan.stages[record.stage];
  invariant(plan?.required === false, "a required stage is never skipped", () => `stage ${record.stage}`);
  invariant(
    record.type === "pruned" || strategy === FailureStrategy.SKIP_FAILED || plan.errorStage !== undefined,
    "a failed stage is skipped only by SKIP_FAILED or for its error stage",
    () => `stage ${record.stage} with ${FailureStrategy[strategy]}`,
  );
}
