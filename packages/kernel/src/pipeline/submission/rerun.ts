import { type PipelineOrigin, type ReviewFeedback, ReviewFeedbackSchema } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { descendantsOf } from "../../graph/topology.ts";
import type { Problem } from "../../problem.ts";
import { feedbackFor } from "../attempt/feedback.ts";
import type { Draft } from "../decision/draft.ts";
import type { Rerun } from "../decision/input.ts";
import { missing, refusal } from "../decision/refusal.ts";
import { resultOf, type StageState, sentOf } from "../state/stage-state.ts";
import { isConsultation, type Origin, type PipelineState } from "../state/state.ts";

/** Why a rerun cannot start from a stage: the stages before it must be done. */
export function checkRerun({ origin, stageId, reason }: Rerun): Problem | undefined {
  const fix = "name a stage of that run whose stages before it are done";
  const target = origin.plan.indexOf.get(stageId);
  if (target === undefined) return missing(`there is no stage "${stageId}" in "${origin.id}"`, fix);
  if (isConsultation(origin))
    return refusal(
      "BATON-PIPELINE-002",
      `cannot rerun "${origin.id}": it is a consultation about another run`,
      "rerun the run that it is about",
    );
  if (reason === "")
    return { ...refusal("BATON-PIPELINE-004", "cannot rerun without a reason", "say why"), at: "reason" };
  const open = ancestorsOf(origin, target).find((position) => !isAtRest(origin, position));
  if (open !== undefined) {
    const { id = "" } = origin.plan.stages[open] ?? {};
    return refusal(
      "BATON-PIPELINE-002",
      `cannot rerun from "${stageId}": "${id}" before it is not done`,
      fix,
    );
  }
  const left = takenFrom(origin, target);
  const end = origin.ends.find((position) => left.includes(position));
  const wanted = [target, ...belowOf(origin, target)].some(
    (position) => origin.plan.stages[position]?.required,
  );
  if (end === undefined || wanted) return undefined;
  const ended = origin.plan.stages[end]?.id ?? "";
  const message = `cannot rerun from "${stageId}": "${ended}" has completed the workflow, and nothing required needs it`;
  return refusal("BATON-PIPELINE-002", message, `rerun from "${ended}", or from a stage before it`);
}

export function takeOverResults(draft: Draft, rerun: Rerun): void {
  const { origin, stageId, inputs, mergeInputs, instructions } = rerun;
  const target = origin.plan.indexOf.get(stageId) ?? 0;
  const positions = takenFrom(origin, target);
  draft.record({
    type: "taken-over",
    origin: originOf(rerun),
    taken: positions.flatMap((stage) => {
      const state = origin.stages[stage];
      return state ? [{ stage, state }] : [];
    }),
    ends: origin.ends.filter((position) => positions.includes(position)),
    rootCommit: origin.rootCommit,
    ...{ target, inputs, mergeInputs },
    feedback: instructions.length === 0 ? undefined : feedbackOf(origin.stages[target], rerun),
    atMs: draft.nowMs,
  });
}

/** Feedback on the previous attempt, if any, with the instructions. */
function feedbackOf(stage: StageState | undefined, { stageId, instructions }: Rerun): ReviewFeedback {
  const sent = stage && sentOf(stage);
  if (stage && sent) return feedbackFor({ rejectedBy: stageId, sent, result: resultOf(stage), instructions });
  return create(ReviewFeedbackSchema, {
    rejectedAttempt: Math.max(1, stage?.attempt ?? 1),
    rejectedByStage: stageId,
    instructions: [...instructions],
  });
}

export function originOf({ origin, stageId, reason, instructions }: Rerun): Origin {
  const target = origin.plan.indexOf.get(stageId) ?? 0;
  const taken = takenFrom(origin, target).map((position) => origin.plan.stages[position]?.id ?? "");
  return { pipelineId: origin.id, stageId, version: origin.version, reason, taken, instructions };
}

/** The origin in the contract's type. */
export function originView({ pipelineId, stageId, version, reason, taken }: Origin): PipelineOrigin {
  const $typeName = "vasini.agent.v1.PipelineOrigin";
  return { $typeName, pipelineId, stageId, revision: BigInt(version), reason, takenStages: [...taken] };
}

/** Stages at rest that do not depend on the target. */
function takenFrom(origin: PipelineState, target: number): readonly number[] {
  const left = new Set([target, ...belowOf(origin, target)]);
  const endStands = origin.ends.some((position) => !left.has(position));
  return origin.stages.flatMap((stage, position) => {
    if (left.has(position) || !isAtRest(origin, position)) return [];
    // A stage pruned for an end that is repeated may run this time.
    return stage.status === "SKIPPED" && stage.byEnd && !endStands ? [] : [position];
  });
}

function isAtRest({ stages }: PipelineState, position: number): boolean {
  const status = stages[position]?.status;
  return status === "COMPLETED" || status === "SKIPPED";
}

function belowOf({ plan }: PipelineState, target: number): readonly number[] {
  return descendantsOf(target, (node) => plan.stages[node]?.dependents ?? []);
}

function ancestorsOf({ plan }: PipelineState, target: number): readonly number[] {
  return descendantsOf(target, (node) => plan.stages[node]?.dependsOn ?? []);
}
