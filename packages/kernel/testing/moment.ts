import type { AgentResult } from "@baton/contract";
import type { Command } from "../src/pipeline/decision/command.ts";
import type { PipelineInput } from "../src/pipeline/decision/input.ts";
import { replay } from "../src/pipeline/records/evolve.ts";
import { branchesAt, planBranches } from "../src/pipeline/rewind/branches-at.ts";
import { type Sent, sentOf, type Wait, waitOf } from "../src/pipeline/state/stage-state.ts";
import type { PipelineState } from "../src/pipeline/state/state.ts";
import { ada, type Run } from "./run.ts";

/** The current run, and numbers that choose among its options. */
export interface Moment {
  readonly run: Run;
  readonly state: PipelineState;
  readonly pick: number;
  readonly detail: number;
}

export function choose<Item>(items: readonly Item[], by: number): Item | undefined {
  return items[by % Math.max(1, items.length)];
}

export function attempts({ stages }: PipelineState, phase?: "sent"): readonly Sent[] {
  return stages.flatMap((stage) => {
    if (stage.status !== "DISPATCHED" || (phase && stage.phase.kind !== phase)) return [];
    return sentOf(stage) ?? [];
  });
}

/** Also one whose result is being checked. */
export function underWay({ state, pick }: Moment): Sent | undefined {
  return choose(attempts(state), pick);
}

export function underReview({ state, pick }: Moment) {
  const waiting = state.stages.flatMap((stage, index) => {
    if (stage.status !== "DISPATCHED" || stage.phase.kind !== "reviewing") return [];
    return [{ stageId: state.plan.stages[index]?.id ?? "", dispatchId: stage.phase.sent.dispatchId, index }];
  });
  return choose(waiting, pick);
}

export function resultOf(dispatchId: string, result: AgentResult): PipelineInput {
  return { type: "result", dispatchId, answer: { kind: "result", result } };
}

export function isVerifying({ stages }: PipelineState, dispatchId: string): boolean {
  return stages.some(
    (stage) =>
      stage.status === "DISPATCHED" &&
      stage.phase.kind === "verifying" &&
      stage.phase.sent.dispatchId === dispatchId,
  );
}

/** A verification: everything is fine and kept, or nothing. */
export function verifiedAs(dispatchId: string, ok: boolean): PipelineInput {
  const verification = ok
    ? { commands: [], changes: undefined, commit: `commit of ${dispatchId}`, artifacts: [] }
    : { commands: [], changes: undefined, unseen: "the disk is full" };
  return { type: "verified", dispatchId, verification };
}

/** The workspace of an attempt is removed: its work was kept before, or is committed now. */
export function leftBy(dispatchId: string, wasKept: boolean): PipelineInput {
  return { type: "work-left", dispatchId, commit: `${wasKept ? "commit of" : "left by"} ${dispatchId}` };
}

export function waitsFor({ plan, stages }: PipelineState, stageId: string, kind: Wait["kind"]): boolean {
  const stage = stages[plan.indexOf.get(stageId) ?? -1];
  return stage !== undefined && waitOf(stage)?.kind === kind;
}

/** A person answers an open question with an option that is not excluded. */
export function resolved({ state, pick, detail }: Moment, leftOut: readonly string[]): PipelineInput {
  const escalation = choose([...state.escalations.values()], pick);
  const options = (escalation?.snapshot.options ?? []).filter((option) => !leftOut.includes(option));
  const resolution = choose(options, detail) ?? "go on";
  return { type: "resolve", escalationId: escalation?.id ?? "", resolution, reason: "so", by: ada };
}

type Timer = Extract<Command, { type: "set-timer" }>;
type Prepare = Extract<Command, { type: "prepare-workspace" }>;
type Release = Extract<Command, { type: "release-workspace" }>;
type Refresh = Extract<Command, { type: "refresh" }>;

export function isTimer(command: Command): command is Timer {
  return command.type === "set-timer";
}

export function isRefresh(command: Command): command is Refresh {
  return command.type === "refresh";
}

export function isRelease(command: Command): command is Release {
  return command.type === "release-workspace";
}

export function isPrepare(command: Command): command is Prepare {
  return command.type === "prepare-workspace";
}

/** A workspace as the hub prepares it: the merge commit is determined by its parents. */
export function prepared({ stageId, attempt, branch, base, start }: Prepare, ok: boolean): PipelineInput {
  const baseCommit = base.join("+") || "head";
  const made = ok
    ? ({ ok: true, path: `/places/${branch}`, branch, baseCommit, startCommit: start ?? baseCommit } as const)
    : ({ ok: false, reason: "the disk is full", fix: "free space" } as const);
  return { type: "workspace-prepared", stageId, attempt, made };
}

/** A person rewinds the run to a version. */
export function rewinding(run: Run, version: number): PipelineInput {
  const past = replay(run.records.slice(0, version));
  if (!run.state || !past) throw new Error("the version does not exist");
  const [now, then] = [run.records.length, version].map((at) => branchesAt(past, run.records, at));
  return {
    ...{ type: "rewind", rewindId: `r${run.records.length}`, past, atRisk: [], discard: false },
    branches: planBranches(now ?? new Map(), then ?? new Map()),
    ...{ reason: "so", by: ada },
  };
}

export function timerInput(run: Run, { timerId, atMs }: Timer, onTime: boolean): PipelineInput {
  if (onTime && atMs > run.world.nowMs) run.pass(atMs - run.world.nowMs);
  return { type: "timer", timerId };
}

export function refreshed(run: Run, { stageId, attempt, refs }: Refresh, ok: boolean): PipelineInput {
  const outcome = ok
    ? ({ ok: true, digest: "d", versionOrSha: "v", fetchedAtMs: run.world.nowMs } as const)
    : ({ ok: false, reason: "unreadable" } as const);
  return {
    type: "refreshed",
    stageId,
    attempt,
    refs: refs.map((ref) => ({ ref, outcome })),
  };
}
