import { AuditEventType, CancelReason, EscalationKind } from "@baton/contract";
import type { Problem } from "../../problem.ts";
import { stopStage } from "../attempt/end-attempt.ts";
import type { BranchPlan } from "../decision/command.ts";
import type { Draft } from "../decision/draft.ts";
import { escalate, isAnsweredByResuming, resolve } from "../decision/escalate.ts";
import type { InputOf, WorkAtRisk } from "../decision/input.ts";
import { missing, refusal } from "../decision/refusal.ts";
import { affectsStages, type PipelineRecord, type RecordOf } from "../records/record.ts";
import { advanceAll } from "../stage/advance.ts";
import { keepOrWithdrawEnd } from "../stage/end-early.ts";
import { clearDeadline, failOrPause } from "../stage/fail-stage.ts";
import { history } from "../state/fold.ts";
import { type StageState, sentOf } from "../state/stage-state.ts";
import { hasEnded, type PipelineState } from "../state/state.ts";
import { deadlineTimer } from "../state/timers.ts";
import { branchOf } from "../state/workspace.ts";

/**
 * Takes the pipeline to an earlier version (TUR-08), or to one that an earlier rewind abandoned, and runs on from
 * there. It is no transition of the tables, so it has its own record.
 *
 * - What was under way then is sent again. Attempt numbers are never reused, so late answers stay fenced.
 * - Spending is not undone. Retries and rejections go back to their counts at that version.
 * - The time left until the deadline is what was left then.
 */
export function rewind(draft: Draft, input: InputOf<"rewind">): Problem | undefined {
  const { past, reason, by } = input;
  const problem = whyNot(draft.state, input);
  if (problem) return problem;
  const before = draft.state;
  const from = before.version;
  if (!hasEnded(before)) stopAllStages(draft, reason);
  for (const id of before.escalations.keys()) resolve(draft, id, `rewound: ${reason}`, by);
  repeatQuestions(draft, past);
  draft.record(recordOf(draft, input));
  draft.note(AuditEventType.PIPELINE_REWOUND, `took the run from revision ${from} to ${past.version}`, {
    actor: by,
    rationale: reason,
    snapshot: {
      case: "pipeline",
      value: {
        templateId: past.templateId,
        stageCount: past.stages.length,
        rewoundFrom: BigInt(from),
        rewoundTo: BigInt(past.version),
        discarded: input.discard ? input.atRisk.map(describeRisk) : [],
      },
    },
  });
  const branches = withLaterBranches(input.branches, before);
  if (branches.set.length + branches.drop.length > 0) {
    const repository = past.task.workspace?.repository ?? "";
    const restoreId = input.rewindId;
    draft.command({ type: "restore-branches", restoreId, repository, abandoned: from, branches });
  }
  const { deadlineAtMs } = draft.state;
  if (deadlineAtMs !== undefined && !hasEnded(draft.state)) draft.setTimer(deadlineTimer, deadlineAtMs);
  if (draft.state.life.status === "RUNNING") continueFrom(draft);
  return undefined;
}

function whyNot(state: PipelineState, input: InputOf<"rewind">): Problem | undefined {
  const { past, seen, atRisk, discard } = input;
  if (past.id !== state.id) throw new Error(`"${past.id}" is not the past of "${state.id}"`);
  if (seen !== undefined && seen !== state.version) return hasMoved(seen, state.version);
  const nowhere = checkPastVersion(state, past.version);
  if (nowhere) return nowhere;
  const looked = atRisk.filter(({ kind }) => kind === "checked-out");
  if (looked.length > 0) return refusalForRisk(looked, "check out another branch there, and rewind again");
  if (discard || atRisk.length === 0) return undefined;
  return {
    ...refusalForRisk(atRisk, "keep it elsewhere, or rewind again and say to discard it"),
    at: "discard",
  };
}

/**
 * Includes branches of workspaces that were prepared after the branches were read. Workspaces of an origin pipeline stay.
 */
function withLaterBranches({ set, drop }: BranchPlan, state: PipelineState): BranchPlan {
  const known = new Set([...set.map(({ branch }) => branch), ...drop]);
  const newer = state.stages.flatMap(({ place }, index) => {
    const isOwn = place?.branch === branchOf(state, index, place?.attempt ?? 0);
    return place && isOwn && !known.has(place.branch) ? [place.branch] : [];
  });
  return { set, drop: [...drop, ...newer] };
}

/** A paused run needs an open question, so its questions are asked again. */
function repeatQuestions(draft: Draft, past: PipelineState): void {
  if (past.life.status !== "PAUSED") return;
  for (const open of past.escalations.values()) {
    if (!open.snapshot.blocking || !isAnsweredByResuming(past, open)) continue;
    const stage = open.stage === undefined ? undefined : past.stages[open.stage];
    const sent = open.dispatchId === "" ? undefined : stage && sentOf(stage);
    escalate(draft, { kind: open.kind, stage: open.stage, sent, snapshot: open.snapshot });
  }
}

function refusalForRisk(work: readonly WorkAtRisk[], fix: string): Problem {
  const [named, more] = [work.slice(0, maxListed).map(describeRisk).join("; "), work.length - maxListed];
  return refusal("BATON-PIPELINE-008", `cannot rewind: ${named}${more > 0 ? `; and ${more} more` : ""}`, fix);
}

const maxListed = 10;

/** A rewind needs an earlier version. Version 1 of a rerun lacks the results it took over. */
export function checkPastVersion(
  { version: now, origin }: PipelineState,
  version: number,
): Problem | undefined {
  if (origin && version === 1) {
    const message = `cannot rewind to revision 1: what comes from "${origin.pipelineId}" was taken over after it`;
    return missing(message, "rewind to revision 2, where it has what it took over");
  }
  if (Number.isSafeInteger(version) && version >= 1 && version < now) return undefined;
  const message = `cannot rewind to revision ${version}: the run is at revision ${now}`;
  return missing(
    message,
    "name an earlier revision: list the transitions of the run (baton runs transitions)",
  );
}

/** Checks that the run has not moved since the caller saw it. Observations do not count. */
export function checkUnchangedSince(records: readonly PipelineRecord[], seen: number): Problem | undefined {
  const since = records.slice(seen);
  return !since.some(affectsStages) && seen <= records.length ? undefined : hasMoved(seen, records.length);
}

function hasMoved(seen: number, now: number): Problem {
  const message = `cannot rewind: revision ${seen} was expected, and the run is at revision ${now}`;
  const fix = "preview the rewind again; an earlier request may have done it already";
  return { ...refusal("BATON-PIPELINE-009", message, fix), at: "from_revision" };
}

function describeRisk({ kind, branch, detail }: WorkAtRisk): string {
  if (kind === "checked-out") return `"${branch}" is checked out in ${detail}`;
  return kind === "foreign"
    ? `"${branch}" has work that the hub did not make: ${detail}`
    : `the workspace of "${branch}" has uncommitted work: ${detail}`;
}

function stopAllStages(draft: Draft, reason: string): void {
  for (const index of draft.state.stages.keys()) stopStage(draft, index, CancelReason.REWOUND, reason);
  clearDeadline(draft);
}

function recordOf({ state, nowMs }: Draft, { past, reason, by }: InputOf<"rewind">): RecordOf<"restored"> {
  const { life, ends, retriesUsed, rejectionsUsed, deadlineWaived } = past;
  return {
    type: "restored",
    toVersion: past.version,
    by: by.id,
    reason,
    life: life.status === "PENDING" ? { status: "RUNNING" } : life,
    stages: past.stages.map((stage, index) => stageFrom(stage, state.stages[index] ?? stage)),
    ...{ ends, retriesUsed, rejectionsUsed, deadlineWaived },
    deadlineAtMs: deadlineFrom(past, nowMs),
    atMs: nowMs,
  };
}

function stageFrom(past: StageState, now: StageState): StageState {
  const usedUpTo = Math.max(past.attempt, past.usedUpTo, now.attempt, now.usedUpTo);
  if (past.status !== "READY" && past.status !== "DISPATCHED") return { ...past, usedUpTo };
  const attempt = usedUpTo + 1;
  const { inputs } = past;
  return {
    // Its time restarts at the rewind.
    ...{ ...history(past), attempt, roundStart: attempt, usedUpTo, firstSentAtMs: undefined },
    ...{ status: "READY", wait: { kind: "turn" }, inputs },
  };
}

function deadlineFrom({ life, plan, deadlineAtMs, updatedAtMs }: PipelineState, nowMs: number) {
  const { deadlineMs } = plan.limits;
  if (life.status === "PENDING") return deadlineMs === undefined ? undefined : nowMs + deadlineMs;
  return deadlineAtMs === undefined ? undefined : nowMs + Math.max(0, deadlineAtMs - updatedAtMs);
}

/** The version may lie within a decision: its remaining steps are decided now. */
function continueFrom(draft: Draft): void {
  keepOrWithdrawEnd(draft);
  for (const [index, stage] of draft.state.stages.entries()) {
    if (stage.status !== "FAILED") continue;
    failOrPause(draft, index, `stage "${draft.plan(index).id}" failed: ${stage.failure.reason}`);
  }
  advanceAll(draft);
}

/** The pipeline continues, because it uses commits and not branch names. */
export function reportBranches(draft: Draft, { reason, fix }: InputOf<"branches-not-restored">): void {
  escalate(draft, {
    kind: EscalationKind.WORKSPACE,
    snapshot: {
      problem: `the branches could not be set as they were: ${reason}`,
      impact: "the run goes on from the right commits; some branches have other names or heads",
      options: ["acknowledge", "abort"],
      recommended: fix,
      blocking: false,
    },
  });
}
