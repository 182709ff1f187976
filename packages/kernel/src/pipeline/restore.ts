import { AuditEventType, CancelReason, EscalationKind } from "@baton/contract";
import type { Problem } from "../problem.ts";
import { letAllGo } from "./advance.ts";
import type { Draft } from "./draft.ts";
import { standDown } from "./end-attempt.ts";
import { keepOrWithdrawEnd } from "./end-early.ts";
import { escalate, resolve } from "./escalate.ts";
import { clearDeadline, stopFor } from "./fail-stage.ts";
import { history } from "./fold.ts";
import type { PipelineInput } from "./input.ts";
import { isAnsweredByResuming } from "./person.ts";
import { branchOf } from "./place-of.ts";
import { movesAnything, type PipelineRecord, type RecordOf } from "./record.ts";
import { missing, refusal } from "./refusal.ts";
import { hasEnded, type PipelineState, type StageState, sentOf } from "./state.ts";
import { deadlineTimer } from "./timer.ts";

type Input<Type extends PipelineInput["type"]> = Extract<PipelineInput, { type: Type }>;

/** What the branches of a pipeline are to be. */
export interface BranchPlan {
  readonly set: readonly BranchSet[];
  /** Branches of attempts that there were not yet. */
  readonly drop: readonly string[];
}

export interface BranchSet {
  readonly branch: string;
  readonly commit: string;
  /** Also where it is gone: an earlier rewind took it away. */
  readonly create: boolean;
}

/** Something that was done and is in no commit of the hub's, or in one that is not the hub's; or that somebody looks at. */
export interface WorkAtRisk {
  readonly kind: "uncommitted" | "foreign" | "checked-out";
  readonly branch: string;
  readonly detail: string;
}

/**
 * Project Rewind (TUR-08): the whole pipeline goes to where it stood at an earlier version, or at one that was abandoned by
 * a rewind before; and runs on from there. It is a jump and no move of the tables, so it has a record of its own.
 *
 * - Whatever was under way then is sent anew. No attempt gets a number that one has had, so late answers stay fenced.
 * - What was spent stays spent. Retries and rejections are counted along the way that holds.
 * - Of the deadline there is left what was left then.
 */
export function restore(draft: Draft, input: Input<"restore">): Problem | undefined {
  const { past, reason, by } = input;
  const problem = whyNot(draft.state, input);
  if (problem) return problem;
  const before = draft.state;
  const from = before.version;
  if (!hasEnded(before)) standAllDown(draft, reason);
  for (const id of before.escalations.keys()) resolve(draft, id, `rewound: ${reason}`, by);
  askAgain(draft, past);
  draft.record(recordOf(draft, input));
  draft.note(AuditEventType.PIPELINE_REWOUND, `took the pipeline from revision ${from} to ${past.version}`, {
    actor: by,
    rationale: reason,
    snapshot: {
      case: "pipeline",
      value: {
        templateId: past.templateId,
        stageCount: past.stages.length,
        rewoundFrom: BigInt(from),
        rewoundTo: BigInt(past.version),
        discarded: input.discard ? input.atRisk.map(tell) : [],
      },
    },
  });
  const branches = withNewer(input.branches, before);
  const { restoreId } = input;
  if (branches.set.length + branches.drop.length > 0) {
    const repository = past.task.workspace?.repository ?? "";
    draft.command({ type: "restore-branches", restoreId, repository, abandoned: from, branches });
  }
  const { deadlineAtMs } = draft.state;
  if (deadlineAtMs !== undefined && !hasEnded(draft.state)) draft.setTimer(deadlineTimer, deadlineAtMs);
  if (draft.state.life.status === "RUNNING") runOn(draft);
  return undefined;
}

function whyNot(state: PipelineState, input: Input<"restore">): Problem | undefined {
  const { past, seen, atRisk, discard } = input;
  if (past.id !== state.id) throw new Error(`"${past.id}" is not the past of "${state.id}"`);
  if (seen !== undefined && seen !== state.version) return hasMoved(seen, state.version);
  const nowhere = whyNoSuchPast(state, past.version);
  if (nowhere) return nowhere;
  const looked = atRisk.filter(({ kind }) => kind === "checked-out");
  if (looked.length > 0) return lossOf(looked, "check out another branch there, and rewind again");
  if (discard || atRisk.length === 0) return undefined;
  return { ...lossOf(atRisk, "keep it elsewhere, or rewind again and say to discard it"), at: "discard" };
}

/**
 * The branches were looked at a moment ago: a place may have been made since. What was taken over from another pipeline has
 * the places of that one, and those stay.
 */
function withNewer({ set, drop }: BranchPlan, state: PipelineState): BranchPlan {
  const known = new Set([...set.map(({ branch }) => branch), ...drop]);
  const newer = state.stages.flatMap(({ place }, index) => {
    const isOwn = place?.branch === branchOf(state, index, place?.attempt ?? 0);
    return place && isOwn && !known.has(place.branch) ? [place.branch] : [];
  });
  return { set, drop: [...drop, ...newer] };
}

/** A pipeline that waits for a person has to be in front of one: what it waited for then is asked anew. */
function askAgain(draft: Draft, past: PipelineState): void {
  if (past.life.status !== "PAUSED") return;
  for (const open of past.escalations.values()) {
    if (!open.snapshot.blocking || !isAnsweredByResuming(past, open)) continue;
    const stage = open.stage === undefined ? undefined : past.stages[open.stage];
    const sent = open.dispatchId === "" ? undefined : stage && sentOf(stage);
    escalate(draft, { kind: open.kind, stage: open.stage, sent, snapshot: open.snapshot });
  }
}

function lossOf(work: readonly WorkAtRisk[], fix: string): Problem {
  const [told, more] = [work.slice(0, mostTold).map(tell).join("; "), work.length - mostTold];
  return refusal("BATON-PIPELINE-008", `cannot rewind: ${told}${more > 0 ? `; and ${more} more` : ""}`, fix);
}

const mostTold = 10;

/** Only what was can be gone back to. A rerun was nothing before it had what it took over. */
export function whyNoSuchPast({ version: now, origin }: PipelineState, version: number): Problem | undefined {
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

/** What was agreed on is what was seen: nothing may have moved since. An agent that works is only observed. */
export function whyNotAsSeen(records: readonly PipelineRecord[], seen: number): Problem | undefined {
  const since = records.slice(seen);
  return !since.some(movesAnything) && seen <= records.length ? undefined : hasMoved(seen, records.length);
}

function hasMoved(seen: number, now: number): Problem {
  const message = `cannot rewind: it was looked at at revision ${seen}, and the run is at revision ${now}`;
  const fix = "look again at what a rewind changes; it may be the one that you have asked for already";
  return { ...refusal("BATON-PIPELINE-009", message, fix), at: "from_revision" };
}

function tell({ kind, branch, detail }: WorkAtRisk): string {
  if (kind === "checked-out") return `"${branch}" is checked out in ${detail}`;
  return kind === "foreign"
    ? `"${branch}" has work that the hub did not make: ${detail}`
    : `the place of "${branch}" has work that is in no commit yet: ${detail}`;
}

function standAllDown(draft: Draft, reason: string): void {
  for (const index of draft.state.stages.keys()) standDown(draft, index, CancelReason.REWOUND, reason);
  clearDeadline(draft);
}

function recordOf({ state, nowMs }: Draft, { past, reason, by }: Input<"restore">): RecordOf<"restored"> {
  const { life, ends, retriesUsed, rejectionsUsed, deadlineWaived } = past;
  return {
    type: "restored",
    toVersion: past.version,
    by: by.id,
    reason,
    life: life.status === "PENDING" ? { status: "RUNNING" } : life,
    stages: past.stages.map((stage, place) => stageFrom(stage, state.stages[place] ?? stage)),
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
    // Its time begins anew: what went on until the rewind is none of it.
    ...{ ...history(past), attempt, roundStart: attempt, usedUpTo, firstSentAtMs: undefined },
    ...{ status: "READY", wait: { kind: "turn" }, inputs },
  };
}

function deadlineFrom({ life, plan, deadlineAtMs, updatedAtMs }: PipelineState, nowMs: number) {
  const { deadlineMs } = plan.limits;
  if (life.status === "PENDING") return deadlineMs === undefined ? undefined : nowMs + deadlineMs;
  return deadlineAtMs === undefined ? undefined : nowMs + Math.max(0, deadlineAtMs - updatedAtMs);
}

/** The version may lie in the midst of a decision: what that had still to decide is decided now. */
function runOn(draft: Draft): void {
  keepOrWithdrawEnd(draft);
  for (const [index, stage] of draft.state.stages.entries()) {
    if (stage.status !== "FAILED") continue;
    stopFor(draft, index, `stage "${draft.plan(index).id}" failed: ${stage.failure.reason}`);
  }
  letAllGo(draft);
}

/** The pipeline goes on: it works with commits, not with the names of branches. */
export function tellBranches(draft: Draft, { reason, fix }: Input<"branches-not-restored">): void {
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
