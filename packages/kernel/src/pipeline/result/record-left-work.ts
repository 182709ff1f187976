import type { Draft } from "../decision/draft.ts";
import type { PipelineInput } from "../decision/input.ts";
import { branchOf, heldWorkspaces } from "../state/workspace.ts";

/**
 * An attempt that ended without its work being looked at (it asked, failed, ran out of time, was lost) leaves a commit all
 * the same. It is on record, so that a rewind knows that it is the hub's own, and where its branch stood. Nothing is built
 * on it.
 */
export function recordLeftWork(
  draft: Draft,
  { dispatchId, commit }: Extract<PipelineInput, { type: "work-left" }>,
): void {
  const { state } = draft;
  for (const [index, { id }] of state.plan.stages.entries()) {
    const prefix = `${state.id}/${id}/`;
    const attempt = dispatchId.startsWith(prefix) ? Number(dispatchId.slice(prefix.length)) : 0;
    if (!Number.isSafeInteger(attempt) || attempt < 1) continue;
    const stage = draft.stage(index);
    // Where a rewind has set the branch since, that holds.
    const isOver = attempt > stage.usedUpTo && attempt <= stage.attempt;
    const isHeld = heldWorkspaces(state).has(branchOf(state, index, attempt));
    const isKnown = stage.kept?.attempt === attempt && stage.kept.commit === commit;
    if (!isOver || isHeld || isKnown || state.left.includes(`${id}/${attempt}`)) return;
    draft.record({ type: "left", stage: index, attempt, commit, atMs: draft.nowMs });
    return;
  }
}
