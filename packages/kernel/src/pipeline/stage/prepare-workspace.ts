import { EscalationKind } from "@baton/contract";
import type { Draft } from "../decision/draft.ts";
import { escalate } from "../decision/escalate.ts";
import type { PreparedWorkspace } from "../decision/input.ts";
import { waitOf } from "../state/stage-state.ts";
import { baseFor, branchOf, subjectOf } from "../state/workspace.ts";
import { setWait } from "./hold-stage.ts";

/**
 * Requests the workspace of an attempt (A §4.3 step 3) and decides its commits:
 *
 * - stages without dependencies begin at the task's commit, or at the repository's HEAD, looked up once;
 * - other stages begin at the kept commits of their dependencies, merged if there are several;
 * - an attempt with feedback continues from the kept commit of the earlier attempt and is compared with the same base;
 * every other attempt begins at the base.
 *
 * Returns false while another stage looks up the HEAD.
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
      problem: `stage "${id}" has no workspace: ${reason}`,
      impact: "the stage is not sent",
      options: ["retry", "abort"],
      recommended: fix,
      blocking: true,
    },
  });
  setWait(draft, index, { kind: "no-workspace", escalationId, reason });
}
