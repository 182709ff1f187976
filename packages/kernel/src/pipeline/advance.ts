import { AuditEventType, EscalationKind, type PipelineSummary } from "@baton/contract";
import type { JsonObject } from "@bufbuild/protobuf";
import { evaluateCondition } from "../graph/condition.ts";
import { applyMapping } from "../graph/mapping.ts";
import { type Draft, orchestrator } from "./draft.ts";
import { escalate, resolve } from "./escalate.ts";
import { clearDeadline, stopFor } from "./fail-stage.ts";
import { graphScope } from "./graph-scope.ts";
import { pipelineSnapshot } from "./pipeline-snapshot.ts";
import { startStage } from "./start-stage.ts";
import { type StageState, waitOf } from "./state.ts";
import { summarise } from "./summarise.ts";

/** Steps 2 and 7 of A §4.3: what has come to rest lets others go, until nothing is left. */
export function advance(draft: Draft, rested: readonly number[]): void {
  // Each is looked at once, in the order of the plan: what it depends on has come to rest before it or not at all.
  const left = new Set<number>();
  for (const index of rested) for (const dependent of draft.plan(index).dependents) left.add(dependent);
  for (let index = 0; index < draft.state.stages.length; index++) {
    if (draft.state.life.status === "FAILED") return;
    if (!left.has(index) || !letGo(draft, index)) continue;
    for (const dependent of draft.plan(index).dependents) left.add(dependent);
  }
  startWhatCan(draft);
  completeIfDone(draft);
}

/** The same for all stages, where nothing in particular has come to rest: at the start, and after a pause. */
export function letAllGo(draft: Draft): void {
  for (let index = 0; index < draft.state.stages.length; index++) {
    if (draft.state.life.status === "FAILED") return;
    letGo(draft, index);
  }
  startWhatCan(draft);
  completeIfDone(draft);
}

/** Sends every stage that is ready, and those that wait for an agent or for money to come free. */
export function startWhatCan(draft: Draft): void {
  const { life, stages } = draft.state;
  if (life.status !== "RUNNING") return;
  // What starts changes only itself, so the stages as they are now can be gone through; most of them have rested.
  for (let index = 0; index < stages.length; index++) {
    const stage = stages[index] as StageState;
    if (stage.status !== "READY" && stage.status !== "DISPATCHED") continue;
    const wait = waitOf(stage);
    if (wait?.kind === "turn" || wait?.kind === "agent" || wait?.kind === "budget") startStage(draft, index);
  }
}

/** Unblocks or prunes a stage whose dependencies have come to rest. True when it was pruned. */
export function letGo(draft: Draft, index: number): boolean {
  if (draft.stage(index).status !== "PENDING") return false;
  const plan = draft.plan(index);
  if (plan.condition) {
    const isAtRest = ({ status }: StageState) => status === "COMPLETED" || status === "SKIPPED";
    if (!plan.dependsOn.every((place) => isAtRest(draft.stage(place)))) return false;
    const verdict = evaluateCondition(plan.condition, graphScope(draft.state, index));
    if (verdict.kind === "true") return unblock(draft, index);
    if (verdict.kind === "false") return prune(draft, index, "its condition is false");
    return giveUp(draft, index, `its condition cannot be evaluated: ${verdict.reason}`, "report");
  }
  if (plan.dependsOn.every((place) => draft.stage(place).status === "COMPLETED"))
    return unblock(draft, index);
  const skipped = plan.dependsOn.find((place) => draft.stage(place).status === "SKIPPED");
  if (skipped === undefined) return false;
  return giveUp(draft, index, `it depends on "${draft.plan(skipped).id}", which was skipped`);
}

/** Makes a stage ready, with its inputs filled in (SACP §4.2). */
function unblock(draft: Draft, index: number): boolean {
  const inputs = inputsFor(draft, index);
  if (!inputs.ok) return giveUp(draft, index, inputs.reason, "report");
  draft.record({ type: "unblocked", stage: index, inputs: inputs.inputs, atMs: draft.nowMs });
  return false;
}

export type Inputs =
  | { readonly ok: true; readonly inputs: JsonObject | undefined }
  | { readonly ok: false; readonly reason: string };

export function inputsFor(draft: Draft, index: number): Inputs {
  const { edited, task } = draft.state;
  if (edited?.stage !== index) return mappedInputs(draft, index);
  if (!edited.merge) return { ok: true, inputs: edited.inputs };
  const mapped = mappedInputs(draft, index);
  return mapped.ok ? { ok: true, inputs: { ...(mapped.inputs ?? task.inputs), ...edited.inputs } } : mapped;
}

function mappedInputs(draft: Draft, index: number): Inputs {
  const { mapping } = draft.plan(index);
  if (!mapping) return { ok: true, inputs: undefined };
  const filled = applyMapping(mapping, graphScope(draft.state, index));
  if (filled.ok) return filled;
  return { ok: false, reason: `its input "${filled.field}" cannot be filled: ${filled.reason}` };
}

function prune(draft: Draft, index: number, reason: string): boolean {
  draft.record({ type: "pruned", stage: index, reason, byEnd: false, atMs: draft.nowMs });
  return true;
}

/** A stage that can never run is left out when it may be; otherwise a person has to decide. */
function giveUp(draft: Draft, index: number, reason: string, report?: "report"): boolean {
  if (!draft.plan(index).required) {
    if (report)
      tell(
        draft,
        index,
        `stage "${draft.plan(index).id}" is left out: ${reason}`,
        "the run goes on without it",
      );
    return prune(draft, index, reason);
  }
  const asked = [...draft.state.escalations.values()].some(
    ({ kind, stage, snapshot }) => kind === EscalationKind.FAILURE && stage === index && snapshot.blocking,
  );
  if (asked) return false;
  const remedy = "rewind to a stage that it depends on, or abort: to resume alone asks again";
  stopFor(draft, index, `stage "${draft.plan(index).id}" cannot run: ${reason}`, remedy);
  return false;
}

/** SACP §4.1: what could not be evaluated is a failure with a reason, also where nothing has to stop for it. */
export function tell(draft: Draft, index: number, problem: string, impact: string): void {
  escalate(draft, {
    kind: EscalationKind.FAILURE,
    stage: index,
    snapshot: {
      problem,
      impact,
      options: ["acknowledge", "abort"],
      recommended: "look at the condition or mapping",
      blocking: false,
    },
  });
}

function describeEnd({ stagesCompleted: completed, stagesSkipped: skipped }: PipelineSummary): string {
  const stages = completed === 1 ? "1 stage" : `${completed} stages`;
  return `${stages} completed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}

/** I1: complete only when all required stages are, and no other is unfinished. */
function completeIfDone(draft: Draft): void {
  const { life, tally, stages } = draft.state;
  if (life.status !== "RUNNING" || tally.COMPLETED + tally.SKIPPED < stages.length) return;
  for (const id of draft.state.escalations.keys())
    resolve(draft, id, "the pipeline has completed", orchestrator);
  clearDeadline(draft);
  const summary = summarise(draft.state, draft.nowMs);
  draft.record({ type: "pipeline-completed", summary, atMs: draft.nowMs });
  draft.note(AuditEventType.PIPELINE_COMPLETED, "completed", {
    rationale: describeEnd(summary),
    snapshot: { case: "pipeline", value: pipelineSnapshot(draft.state, { summary }) },
  });
}
