import { EscalationKind } from "@baton/contract";
import type { Draft } from "../decision/draft.ts";
import { escalate } from "../decision/escalate.ts";
import type { PreparedWorkspace } from "../decision/input.ts";
import { waitOf } from "../state/stage-state.ts";
import { baseFor, branchOf, subjectOf } from "../state/workspace.ts";
import { setWait } from "./hold-stage.ts";

/**
 * Before an attempt is sent, the hub makes a place for it (A §4.3 step 3). What it begins with is decided here:
 *
 * - the first stages begin with the commit that the task names, or where the repository stands, looked up once;
 * - the others with what was kept of the stages they wait for, merged when there are several;
 * - an attempt with feedback on an earlier one continues from the commit kept of that, and is still compared
 *   with the same base; every other attempt begins at the base.
 *
 * False when another stage is about to find out where the repository stands.
 */
export function prepareWorkspace(draft: Draft, index: number): boolean {
  const { state } = draft;
  const base = baseFor(state, index);
  if (base.length === 0 && isAnotherStagePreparing(draft, index)) return false;
  const { id: stageId } = draft.plan(index);
  const { attempt, feedback, kept } = draft.stage(index);
  draft.command({
    type: "prepare-workspace",
    dispatchId: `${state.id}/${stageId}/${attempt}`,
    stageId,
    attempt,
    repository: state.task.workspace?.repository ?? "",
    branch: branchOf(state, index, attempt),
    base,
    start: feedback && kept?.commit,
    subject: subjectOf(state, index, attempt),
  });
  return true;
}

function isAnotherStagePreparing({ state }: Draft, index: number): boolean {
  return state.stages.some(
    (stage, other) =>
      other !== index && waitOf(stage)?.kind === "workspace" && baseFor(state, other).length === 0,
  );
}

/** Without a workspace nothing is sent: a person is asked, with the reason and the fix. */
export function escalateWorkspace(
  draft: Draft,
  index: number,
  { reason, fix }: Extract<PreparedWorkspace, { ok: false }>,
): void {
  const { id } = draft.plan(index);
  const escalationId = escalate(draft, {
    kind: EscalationKind.WORKSPACE,
    stage: index,
    snapshot: {
      problem: `stage "${id}" has no place to work in: ${reason}`,
      impact: "the stage is not sent",
      options: ["retry", "abort"],
      recommended: fix,
      blocking: true,
    },
  });
  setWait(draft, index, { kind: "no-workspace", escalationId, reason });
}
