import { demand } from "../../violation.ts";
import type { Fold, Memory } from "./step.ts";

/** A rewind takes back the target and what depends on it, all of it and nothing else (A §4.6). */
export function checkRewind({ record, before, after }: Fold, memory: Memory): void {
  if (record.type !== "rejected" || !before) return;
  const { target, reset, edge, counts, feedback } = record;
  const below = memory.descendants[target] ?? new Set();
  for (const place of reset) {
    demand(
      below.has(place),
      "a rewind touches only the target and its descendants",
      () => `stage ${place} does not depend on ${target}`,
    );
  }
  for (const [place, stage] of after.stages.entries()) {
    const previous = before.stages[place];
    if (place === target) {
      demand(
        stage.status === "READY" &&
          stage.attempt === Math.max(previous?.attempt ?? 0, previous?.usedUpTo ?? 0) + 1,
        "I4: a rejection puts its target to READY with the next attempt",
        () => `stage ${target} is ${stage.status}, attempt ${stage.attempt} after ${previous?.attempt}`,
      );
    } else if (below.has(place)) {
      demand(
        stage.status === "PENDING",
        "a rewind resets all that depends on the target",
        () => `stage ${place} is ${stage.status}`,
      );
    } else if (place !== edge?.stage) {
      demand(
        stage === previous,
        "a rewind touches only the target and its descendants",
        () => `stage ${place} was changed`,
      );
    }
  }
  if (!counts) return;
  const told = feedback ? feedback.instructions.length + feedback.failedChecks.length : 0;
  demand(told > 0, "I4: a rejection says what was wrong", () => `stage ${target} is told nothing`);
}

/** Counts what has limits. */
export function countLimited({ record, before }: Fold, memory: Memory): void {
  if (record.type === "rejected" && record.counts) memory.rejections++;
  if (record.type !== "retried" || record.clarification !== undefined) return;
  memory.retries++;
  const stage = before?.stages[record.stage];
  const most = before?.plan.stages[record.stage]?.retry.maxAttempts ?? 0;
  const made = stage ? stage.attempt - stage.roundStart + 1 : 0;
  demand(
    made < most,
    "attempts of a stage stay within max_attempts",
    () => `attempt ${made + 1} of ${most} of stage ${record.stage}`,
  );
}
