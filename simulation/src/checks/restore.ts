import type { PipelineState, StageState } from "../kernel.ts";
import { demand } from "../violation.ts";
import { difference } from "./same.ts";
import type { Fold, Memory } from "./step.ts";

/** A rewind to a version brings back what was at rest then, sends the rest anew, and gives nothing back that was used. */
export function checkRestore({ record, before, after }: Fold, memory: Memory): void {
  if (record.type !== "restored" || !before) return;
  const past = memory.past[record.toVersion - 1];
  demand(past !== undefined, "a rewind goes to what was", () => `version ${record.toVersion}`);
  for (const [place, stage] of after.stages.entries()) {
    const [then, now] = [past.state.stages[place], before.stages[place]];
    if (then && now) checkStage(place, stage, then, now);
  }
  demand(after.ledger === before.ledger, "a rewind gives no money back", () => describe(after));
  demand(
    after.escalations.size === 0,
    "a rewind leaves no question open that was asked before it",
    () => `${after.escalations.size} are open`,
  );
  memory.retries = past.retries;
  memory.rejections = past.rejections;
  memory.ends.clear();
  for (const place of past.ends) memory.ends.add(place);
}

function checkStage(place: number, stage: StageState, then: StageState, now: StageState): void {
  if (then.status === "READY" || then.status === "DISPATCHED") {
    const used = Math.max(then.attempt, then.usedUpTo, now.attempt, now.usedUpTo);
    demand(
      stage.status === "READY" && stage.attempt > used,
      "what was under way is ready anew, with a number of its own",
      () => `stage ${place} is ${stage.status}, attempt ${stage.attempt} after ${used}`,
    );
    return;
  }
  const found = difference({ ...stage, usedUpTo: 0 }, { ...then, usedUpTo: 0 });
  demand(
    found === undefined,
    "a rewind brings back what was at rest",
    () => `stage ${place} differs at ${found}`,
  );
}

/** Kept after every record, to know later what a version was. */
export function rememberVersion({ after }: Fold, { past, retries, rejections, ends }: Memory): void {
  past.push({ state: after, retries, rejections, ends: [...ends] });
}

function describe({ id, version }: PipelineState): string {
  return `${id} at version ${version}`;
}
