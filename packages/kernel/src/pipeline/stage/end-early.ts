import { CancelReason } from "@baton/contract";
import { stopStage } from "../attempt/end-attempt.ts";
import { type Draft, orchestrator } from "../decision/draft.ts";
import { voidQuestions } from "../decision/escalate.ts";
import { advance, unblockOrPrune } from "./advance.ts";

/**
 * `completed` (SACP §2.1): the workflow ends successfully at this stage. Required stages and their dependencies still run;
 * everything else is pruned until the stage is reset.
 */
export function endWorkflow(draft: Draft, index: number): void {
  draft.record({ type: "ended-early", stage: index, reason: reasonOf(draft, index), atMs: draft.nowMs });
  pruneUnneeded(draft);
  advance(draft, [index]);
}

/** After the end of the workflow, prunes the unfinished stages that are not needed and cancels their attempts. */
function pruneUnneeded(draft: Draft): void {
  const [end] = draft.state.ends;
  if (end === undefined) return;
  const reason = reasonOf(draft, end);
  const needed = neededStages(draft);
  for (const [index, { status }] of draft.state.stages.entries()) {
    if (needed.has(index) || status === "COMPLETED" || status === "SKIPPED") continue;
    // A person was asked about a failed stage; resuming resets it to READY, and it is pruned then.
    if (status === "FAILED") continue;
    stopStage(draft, index, CancelReason.ABORTED, reason);
    voidQuestions(draft, index, reason, orchestrator);
    draft.record({ type: "pruned", stage: index, reason, byEnd: true, atMs: draft.nowMs });
  }
}

/** After a reset: prunes again for an end that is still valid, or takes back the pruning for one that is not. */
export function keepOrWithdrawEnd(draft: Draft): void {
  if (draft.state.ends.length > 0) return pruneUnneeded(draft);
  const reset = [...draft.state.stages.entries()].flatMap(([index, stage]) =>
    stage.status === "SKIPPED" && stage.byEnd ? [index] : [],
  );
  if (reset.length === 0) return;
  draft.record({ type: "end-withdrawn", reset, atMs: draft.nowMs });
  for (const index of reset) unblockOrPrune(draft, index);
}

/** Required stages that are unfinished, and all that they depend on. */
function neededStages({ state }: Draft): ReadonlySet<number> {
  const needed = new Set<number>();
  // In reverse plan order, since a stage comes after its dependencies.
  for (const { index, required, dependsOn } of state.plan.stages.toReversed()) {
    if (required && state.stages[index]?.status !== "COMPLETED") needed.add(index);
    if (needed.has(index)) for (const position of dependsOn) needed.add(position);
  }
  return needed;
}

function reasonOf(draft: Draft, end: number): string {
  return `"${draft.plan(end).id}" has completed the workflow`;
}
