import { EscalationKind } from "@baton/contract";
import type { OpenEscalation, PipelineState, StageState } from "../../kernel.ts";
import { invariant } from "../../violation.ts";
import { difference } from "../difference.ts";
import type { Fold, Model } from "./step.ts";

/** A rewind to a version restores stages at rest, dispatches the others again, and refunds nothing. */
export function checkRestore({ record, before, after }: Fold, model: Model): void {
  if (record.type !== "restored" || !before) return;
  const past = model.past[record.toVersion - 1];
  invariant(past !== undefined, "a rewind targets an existing version", () => `version ${record.toVersion}`);
  for (const [place, stage] of after.stages.entries()) {
    const [then, now] = [past.state.stages[place], before.stages[place]];
    if (then && now) checkStage(place, stage, then, now);
  }
  invariant(after.spending === before.spending, "a rewind refunds nothing", () => describe(after));
  checkQuestions(past.state, after);
  model.retries = past.retries;
  model.rejections = past.rejections;
  model.ends.clear();
  for (const place of past.ends) model.ends.add(place);
}

function checkStage(place: number, stage: StageState, then: StageState, now: StageState): void {
  if (then.status === "READY" || then.status === "DISPATCHED") {
    const used = Math.max(then.attempt, then.usedUpTo, now.attempt, now.usedUpTo);
    invariant(
      stage.status === "READY" && stage.attempt > used,
      "a stage that was under way is ready again, with a new attempt number",
      () => `stage ${place} is ${stage.status}, attempt ${stage.attempt} after ${used}`,
    );
    return;
  }
  const found = difference({ ...stage, usedUpTo: 0 }, { ...then, usedUpTo: 0 });
  invariant(
    found === undefined,
    "a rewind restores stages at rest",
    () => `stage ${place} differs at ${found}`,
  );
}

/** Escalations become void; a pipeline that was paused for a person asks its questions again. */
function checkQuestions(past: PipelineState, after: PipelineState): void {
  const isPaused = past.life.status === "PAUSED";
  const then = [...past.escalations.values()].filter(({ snapshot }) => isPaused && snapshot.blocking);
  const now = [...after.escalations.values()];
  const isSame = (one: OpenEscalation, other: OpenEscalation) =>
    one.kind === other.kind && one.stage === other.stage && one.snapshot.problem === other.snapshot.problem;
  invariant(
    now.every((open) => !past.escalations.has(open.id) && then.some((asked) => isSame(open, asked))),
    "a rewind closes earlier escalations and opens no others than those of its version",
    () => `${now.map(({ id }) => id).join(", ")} are open`,
  );
  const failures = then.filter(({ kind }) => kind === EscalationKind.FAILURE);
  invariant(
    failures.every((asked) => now.some((open) => isSame(open, asked))),
    "a rewind to a pause after a failure asks a person again",
    () => `${failures.length} failures, ${now.length} questions`,
  );
}

export function rememberVersion({ after }: Fold, model: Model): void {
  const { past, retries, rejections, ends, branches } = model;
  past.push({ state: after, retries, rejections, ends: [...ends], branches: branches.recorded });
}

function describe({ id, version }: PipelineState): string {
  return `${id} at version ${version}`;
}
