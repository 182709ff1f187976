import type { Draft } from "../decision/draft.ts";
import type { PipelineInput } from "../decision/input.ts";
import { branchOf, heldWorkspaces } from "../state/workspace.ts";

/**
 * Records the commit of an attempt that ended without a check (it asked, failed, timed out or was lost). A rewind then
 * knows the commit as the hub's own and restores its branch. Nothing builds on it.
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
    // A later rewind of the branch takes precedence.
    const isOver = attempt > stage.usedUpTo && attempt <= stage.attempt;
    const isHeld = heldWorkspaces(state).has(branchOf(state, index, attempt));
    const isKnown = stage.kept?.attempt === attempt && stage.kept.commit === commit;
    if (!isOver || isHeld || isKnown || state.left.includes(`${id}/${attempt}`)) return;
    draft.record({ type: "left", stage: index, attempt, commit, atMs: draft.nowMs });
    return;
  }
}
