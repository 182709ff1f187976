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
  type ListedTransition,
  type PipelineState,
  type StageState,
  shortenReason,
  type WorkAtRisk,
} from "@baton/kernel";
import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { BranchChange } from "../ports/outside.ts";

export function transitionView({ plan }: PipelineState, transition: ListedTransition): Transition {
  const { version, atMs, stage, dispatchId, from, to, commit = "", abandoned } = transition;
  return create(TransitionSchema, {
    revision: BigInt(version),
    at: timestampFromMs(atMs),
    stageId: stage === undefined ? "" : (plan.stages[stage]?.id ?? ""),
    ...{ dispatchId, commit, abandoned },
    fromStatus: from,
    toStatus: to,
    ...{ by: transition.by, reason: shortenReason(transition.reason), attemptNumber: transition.attempt },
    rewoundTo: BigInt(transition.rewoundTo ?? 0),
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
    stages: past.stages.flatMap((then, index) => stageRewind(state, then, index) ?? []),
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

function stageRewind({ plan, stages }: PipelineState, then: StageState, index: number) {
  const now = stages[index];
  const isSentAgain = then.status === "READY" || then.status === "DISPATCHED";
  if (!now || (now.status === then.status && now.attempt === then.attempt && !isSentAgain)) return undefined;
  return {
    stageId: plan.stages[index]?.id ?? "",
    statusNow: StageStatus[now.status],
    statusThen: StageStatus[then.status],
    attemptNow: now.attempt,
    attemptThen: then.attempt,
    sentAnew: isSentAgain,
  };
}
