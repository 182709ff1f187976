import { EscalationKind } from "@baton/contract";
import type { OpenEscalation, PipelineState, StageState } from "../../kernel.ts";
import { demand } from "../../violation.ts";
import { difference } from "../difference.ts";
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
  demand(after.spending === before.spending, "a rewind gives no money back", () => describe(after));
  checkQuestions(past.state, after);
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

/** What was asked is void; but a pipeline that waits for a person asks again what it waited for then. */
function checkQuestions(past: PipelineState, after: PipelineState): void {
  const isPaused = past.life.status === "PAUSED";
  const then = [...past.escalations.values()].filter(({ snapshot }) => isPaused && snapshot.blocking);
  const now = [...after.escalations.values()];
  const isSame = (one: OpenEscalation, other: OpenEscalation) =>
    one.kind === other.kind && one.stage === other.stage && one.snapshot.problem === other.snapshot.problem;
  demand(
    now.every((open) => !past.escalations.has(open.id) && then.some((asked) => isSame(open, asked))),
    "a rewind leaves no question open that was asked before it, and asks nothing new",
    () => `${now.map(({ id }) => id).join(", ")} are open`,
  );
  const failures = then.filter(({ kind }) => kind === EscalationKind.FAILURE);
  demand(
    failures.every((asked) => now.some((open) => isSame(open, asked))),
    "a rewind to where a failure had paused the pipeline asks a person again",
    () => `${failures.length} failures, ${now.length} questions`,
  );
}

/** Kept after every record, to know later what a version was. */
export function rememberVersion({ after }: Fold, memory: Memory): void {
  const { past, retries, rejections, ends, branches } = memory;
  past.push({ state: after, retries, rejections, ends: [...ends], branches: branches.recorded });
}

function describe({ id, version }: PipelineState): string {
  return `${id} at version ${version}`;
}
