import { type PipelineOrigin, type ReviewFeedback, ReviewFeedbackSchema } from "@baton/contract";
import { create, equals, fromJson, type JsonObject, type JsonValue } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import type { Problem } from "../problem.ts";
import type { Draft } from "./draft.ts";
import { feedbackFor } from "./feedback.ts";
import { missing, refusal } from "./refusal.ts";
import { type Origin, type PipelineState, resultOf, type StageState, sentOf } from "./state.ts";
import { descendantsOf } from "./topology.ts";

/**
 * A new pipeline that begins with a stage of another one (TUR-08). It has the plan of that one, and its results but for
 * those of the stage and all that depends on it. The other one stays as it is.
 */
export interface Rerun {
  readonly origin: PipelineState;
  readonly stageId: string;
  readonly reason: string;
  /** What the stage gets; undefined is what it would get anyway. */
  readonly inputs: JsonObject | undefined;
  readonly mergeInputs: boolean;
  /** What its agent is told beyond the contract. */
  readonly instructions: readonly string[];
}

/** What keeps a stage from being begun with: its inputs are what those before it have given. */
export function whyNotRerun({ origin, stageId, reason }: Rerun): Problem | undefined {
  const fix = "name a stage of that run whose stages before it are done";
  const target = origin.plan.indexOf.get(stageId);
  if (target === undefined) return missing(`there is no stage "${stageId}" in "${origin.id}"`, fix);
  if (reason === "")
    return { ...refusal("BATON-PIPELINE-004", "cannot rerun without a reason", "say why"), at: "reason" };
  const open = ancestorsOf(origin, target).find((place) => !isAtRest(origin, place));
  if (open !== undefined) {
    const { id = "" } = origin.plan.stages[open] ?? {};
    return refusal(
      "BATON-PIPELINE-002",
      `cannot rerun from "${stageId}": "${id}" before it is not done`,
      fix,
    );
  }
  const left = takenFrom(origin, target);
  const end = origin.ends.find((place) => left.includes(place));
  const wanted = [target, ...belowOf(origin, target)].some((place) => origin.plan.stages[place]?.required);
  if (end === undefined || wanted) return undefined;
  const ended = origin.plan.stages[end]?.id ?? "";
  const message = `cannot rerun from "${stageId}": "${ended}" has completed the workflow, and nothing required needs it`;
  return refusal("BATON-PIPELINE-002", message, `rerun from "${ended}", or from a stage before it`);
}

/**
 * The same key is the same rerun, or none (DIS-15). The task is that of the origin, but for its deadline, which is the
 * clock's to leave out: whoever repeats the call later asks for the same.
 */
export function judgeRerunAgain(state: PipelineState, again: Rerun | undefined): Problem | undefined {
  const { origin: first, edited } = state;
  if (!first && !again) return undefined;
  const same =
    first !== undefined &&
    again !== undefined &&
    first.pipelineId === again.origin.id &&
    first.stageId === again.stageId &&
    first.reason === again.reason &&
    isSameJson(edited?.inputs, again.inputs) &&
    (edited === undefined || edited.merge === again.mergeInputs) &&
    // Older records do not say.
    (first.instructions === undefined || isSameJson([...first.instructions], [...again.instructions]));
  if (same) return undefined;
  const key = state.task.idempotencyKey;
  return {
    code: "BATON-PIPELINE-005",
    at: "idempotency_key",
    message: `"${key}" was used for another task`,
    fix: "use a new key for a new task, and the same content for the same one",
  };
}

export function takeOver(draft: Draft, rerun: Rerun): void {
  const { origin, stageId, inputs, mergeInputs, instructions } = rerun;
  const target = origin.plan.indexOf.get(stageId) ?? 0;
  const places = takenFrom(origin, target);
  draft.record({
    type: "taken-over",
    origin: originOf(rerun),
    taken: places.flatMap((stage) => {
      const state = origin.stages[stage];
      return state ? [{ stage, state }] : [];
    }),
    ends: origin.ends.filter((place) => places.includes(place)),
    rootCommit: origin.rootCommit,
    ...{ target, inputs, mergeInputs },
    feedback: instructions.length === 0 ? undefined : feedbackOf(origin.stages[target], rerun),
    atMs: draft.nowMs,
  });
}

/** What the agent is told of the attempt before, if there was one, and what to do now. */
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
  const taken = takenFrom(origin, target).map((place) => origin.plan.stages[place]?.id ?? "");
  return { pipelineId: origin.id, stageId, version: origin.version, reason, taken, instructions };
}

/** As the contract tells it. */
export function originView({ pipelineId, stageId, version, reason, taken }: Origin): PipelineOrigin {
  const $typeName = "vasini.agent.v1.PipelineOrigin";
  return { $typeName, pipelineId, stageId, revision: BigInt(version), reason, takenStages: [...taken] };
}

/** Whatever the order of their fields. */
function isSameJson(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return equals(ValueSchema, fromJson(ValueSchema, one), fromJson(ValueSchema, other));
}

/** Stages that have come to rest and do not depend on the target. */
function takenFrom(origin: PipelineState, target: number): readonly number[] {
  const left = new Set([target, ...belowOf(origin, target)]);
  const endStands = origin.ends.some((place) => !left.has(place));
  return origin.stages.flatMap((stage, place) => {
    if (left.has(place) || !isAtRest(origin, place)) return [];
    // What was left out for an end that is done again may run this time.
    return stage.status === "SKIPPED" && stage.byEnd && !endStands ? [] : [place];
  });
}

function isAtRest({ stages }: PipelineState, place: number): boolean {
  const status = stages[place]?.status;
  return status === "COMPLETED" || status === "SKIPPED";
}

function belowOf({ plan }: PipelineState, target: number): readonly number[] {
  return descendantsOf(target, (node) => plan.stages[node]?.dependents ?? []);
}

function ancestorsOf({ plan }: PipelineState, target: number): readonly number[] {
  return descendantsOf(target, (node) => plan.stages[node]?.dependsOn ?? []);
}
