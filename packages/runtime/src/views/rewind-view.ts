import {
  PipelineStatus,
  type RewindPreview,
  RewindPreviewSchema,
  RiskKind,
  StageStatus,
  type Transition,
  TransitionSchema,
} from "@baton/contract";
import {
  inShort,
  type PipelineState,
  type StageState,
  type ToldTransition,
  type WorkAtRisk,
} from "@baton/kernel";
import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { BranchChange } from "../ports/outside.ts";

export function transitionView({ plan }: PipelineState, told: ToldTransition): Transition {
  const { version, atMs, stage, dispatchId, from, to, commit = "", abandoned } = told;
  return create(TransitionSchema, {
    revision: BigInt(version),
    at: timestampFromMs(atMs),
    stageId: stage === undefined ? "" : (plan.stages[stage]?.id ?? ""),
    ...{ dispatchId, commit, abandoned },
    fromStatus: from,
    toStatus: to,
    ...{ by: told.by, reason: inShort(told.reason), attemptNumber: told.attempt },
    rewoundTo: BigInt(told.rewoundTo ?? 0),
  });
}

export interface RewindFindings {
  readonly state: PipelineState;
  readonly past: PipelineState;
  readonly branches: readonly BranchChange[];
  readonly atRisk: readonly WorkAtRisk[];
  readonly note: string;
}

export function rewindView({ state, past, branches, atRisk, note }: RewindFindings): RewindPreview {
  return create(RewindPreviewSchema, {
    fromRevision: BigInt(state.version),
    toRevision: BigInt(past.version),
    statusNow: PipelineStatus[state.life.status],
    statusThen: PipelineStatus[past.life.status],
    stages: past.stages.flatMap((then, place) => stageRewind(state, then, place) ?? []),
    branches: branches.map(({ commitNow = "", commitThen = "", keptAs = "", files, ...change }) => ({
      branch: change.branch,
      ...{ commitNow, commitThen, keptAs },
      givenUp: [...change.givenUp],
      regained: [...change.regained],
      files: files.map(({ path, action }) => ({ path, action })),
    })),
    atRisk: atRisk.map(({ kind, branch, detail }) => ({ kind: riskKinds[kind], branch, detail })),
    note,
  });
}

const riskKinds: Readonly<Record<WorkAtRisk["kind"], RiskKind>> = {
  uncommitted: RiskKind.UNCOMMITTED,
  foreign: RiskKind.FOREIGN,
  "checked-out": RiskKind.CHECKED_OUT,
};

function stageRewind({ plan, stages }: PipelineState, then: StageState, place: number) {
  const now = stages[place];
  const sentAnew = then.status === "READY" || then.status === "DISPATCHED";
  if (!now || (now.status === then.status && now.attempt === then.attempt && !sentAnew)) return undefined;
  return {
    stageId: plan.stages[place]?.id ?? "",
    statusNow: StageStatus[now.status],
    statusThen: StageStatus[then.status],
    attemptNow: now.attempt,
    attemptThen: then.attempt,
    sentAnew,
  };
}
