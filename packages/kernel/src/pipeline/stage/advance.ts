import { EscalationKind } from "@baton/contract";
import type { JsonObject } from "@bufbuild/protobuf";
import { applyMapping } from "../../graph/mapping/mapping.ts";
import type { Draft } from "../decision/draft.ts";
import { escalate } from "../decision/escalate.ts";
import { graphScope } from "../state/graph-scope.ts";
import { type StageState, type Wait, waitOf } from "../state/stage-state.ts";
import { decideEntry } from "./decide-edges.ts";
import { failOrPause } from "./fail-stage.ts";
import { startStage } from "./start-stage.ts";
import { completeIfDone } from "./summarise.ts";

/** Steps 2 and 7 of A §4.3: stages at rest unblock or prune their dependents, until the run completes. */
export function advance(draft: Draft, rested: readonly number[]): void {
  // Plan order visits each stage once: its dependencies come before it.
  const left = new Set<number>();
  for (const index of rested) for (const dependent of draft.plan(index).dependents) left.add(dependent);
  for (let index = 0; index < draft.state.stages.length; index++) {
    if (draft.state.life.status === "FAILED") return;
    if (!left.has(index) || !unblockOrPrune(draft, index)) continue;
    for (const dependent of draft.plan(index).dependents) left.add(dependent);
  }
  startReady(draft);
  completeIfDone(draft);
}

/** The same for all stages: at the start, and after a pause. */
export function advanceAll(draft: Draft): void {
  for (let index = 0; index < draft.state.stages.length; index++) {
    if (draft.state.life.status === "FAILED") return;
    unblockOrPrune(draft, index);
  }
  startReady(draft);
  completeIfDone(draft);
}

const startable = new Set<Wait["kind"]>(["turn", "agent", "budget", "tenant-limit", "identical"]);

/** Starts every stage that is ready, and those that wait for an agent or for budget. */
export function startReady(draft: Draft): void {
  const { life, stages } = draft.state;
  if (life.status !== "RUNNING") return;
  // Starting a stage changes only that stage, so this iterates over the stages as they are now.
  for (let index = 0; index < stages.length; index++) {
    const stage = stages[index] as StageState;
    if (stage.status !== "READY" && stage.status !== "DISPATCHED") continue;
    const wait = waitOf(stage);
    if (wait && startable.has(wait.kind)) startStage(draft, index);
  }
}

/** Unblocks or prunes a stage whose dependencies have come to rest. True when it was pruned. */
export function unblockOrPrune(draft: Draft, index: number): boolean {
  if (draft.stage(index).status !== "PENDING") return false;
  const plan = draft.plan(index);
  if (plan.condition || plan.edges.length > 0) {
    const isAtRest = ({ status }: StageState) => status === "COMPLETED" || status === "SKIPPED";
    if (!plan.dependsOn.every((position) => isAtRest(draft.stage(position)))) return false;
    const entry = decideEntry(draft, index);
    if (entry.kind === "run") return unblock(draft, index);
    if (entry.kind === "leave-out") return prune(draft, index, entry.reason);
    return pruneOrStop(draft, index, entry.reason, "report");
  }
  if (plan.dependsOn.every((position) => draft.stage(position).status === "COMPLETED"))
    return unblock(draft, index);
  const skipped = plan.dependsOn.find((position) => draft.stage(position).status === "SKIPPED");
  if (skipped === undefined) return false;
  return pruneOrStop(draft, index, `it depends on "${draft.plan(skipped).id}", which was skipped`);
}

/** Makes a stage ready, with its inputs filled in (SACP §4.2). */
function unblock(draft: Draft, index: number): boolean {
  const inputs = inputsFor(draft, index);
  if (!inputs.ok) return pruneOrStop(draft, index, inputs.reason, "report");
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

/** A stage that can never run is pruned when optional; otherwise a person decides. */
function pruneOrStop(draft: Draft, index: number, reason: string, report?: "report"): boolean {
  if (!draft.plan(index).required) {
    if (report)
      reportProblem(
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
  failOrPause(draft, index, `stage "${draft.plan(index).id}" cannot run: ${reason}`, remedy);
  return false;
}

/** SACP §4.1: a condition that cannot be evaluated is reported as a failure, even if the run continues. */
export function reportProblem(draft: Draft, index: number, problem: string, impact: string): void {
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
