import { invariant } from "../../violation.ts";
import type { Fold, Model } from "./step.ts";

/** A rejection resets exactly the target and its descendants (A §4.6). */
export function checkRewind({ record, before, after }: Fold, model: Model): void {
  if (record.type !== "rejected" || !before) return;
  const { target, reset, edge, counts, feedback } = record;
  const below = model.descendants[target] ?? new Set();
  for (const place of reset) {
    invariant(
      below.has(place),
      "a rejection resets only the target and its descendants",
      () => `stage ${place} does not depend on ${target}`,
    );
  }
  for (const [place, stage] of after.stages.entries()) {
    const previous = before.stages[place];
    if (place === target) {
      invariant(
        stage.status === "READY" &&
          stage.attempt === Math.max(previous?.attempt ?? 0, previous?.usedUpTo ?? 0) + 1,
        "I4: a rejection makes its target READY with the next attempt",
        () => `stage ${target} is ${stage.status}, attempt ${stage.attempt} after ${previous?.attempt}`,
      );
    } else if (below.has(place)) {
      invariant(
        stage.status === "PENDING",
        "a rejection resets all descendants of the target",
        () => `stage ${place} is ${stage.status}`,
      );
    } else if (place !== edge?.stage) {
      invariant(
        stage === previous,
        "a rejection resets only the target and its descendants",
        () => `stage ${place} was changed`,
      );
    }
  }
  if (!counts) return;
  const findings = feedback ? feedback.instructions.length + feedback.failedChecks.length : 0;
  invariant(findings > 0, "I4: a rejection carries findings", () => `stage ${target} has none`);
}

export function countLimited({ record, before }: Fold, model: Model): void {
  if (record.type === "rejected" && record.counts) model.rejections++;
  if (record.type !== "retried" || record.clarification !== undefined) return;
  model.retries++;
  const stage = before?.stages[record.stage];
  const most = before?.plan.stages[record.stage]?.retry.maxAttempts ?? 0;
  const made = stage ? stage.attempt - stage.roundStart + 1 : 0;
  invariant(
    made < most,
    "attempts stay within max_attempts",
    () => `attempt ${made + 1} of ${most} of stage ${record.stage}`,
  );
}
