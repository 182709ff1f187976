import type { BranchPlan } from "../decision/command.ts";
import type { PipelineRecord } from "../records/record.ts";
import type { PipelineState } from "../state/state.ts";
import { branchOf } from "../state/workspace.ts";

/** A branch as the hub has set it. */
export interface RecordedBranch {
  readonly branch: string;
  readonly startCommit: string;
  readonly commit: string;
}

/** The branches of a pipeline at a version, by name: what was prepared, kept and left, along the way that held then. */
export function branchesAt(
  state: PipelineState,
  records: readonly PipelineRecord[],
  version: number,
): ReadonlyMap<string, RecordedBranch> {
  const branches = new Map<string, RecordedBranch>();
  for (const place of effectiveVersions(records, version)) {
    const record = records[place - 1];
    if (record?.type === "prepared") {
      const { branch, startCommit } = record.place;
      branches.set(branch, { branch, startCommit, commit: startCommit });
    }
    if (record?.type !== "kept" && record?.type !== "left") continue;
    const branch = branchOf(state, record.stage, record.attempt);
    const known = branches.get(branch);
    branches.set(branch, { branch, startCommit: known?.startCommit ?? record.commit, commit: record.commit });
  }
  return branches;
}

/** The versions that lead to one, in order: those that a rewind has abandoned before it are left out. */
export function effectiveVersions(records: readonly PipelineRecord[], version: number): readonly number[] {
  const way: number[] = [];
  for (let at = version; at > 0; ) {
    way.push(at);
    const record = records[at - 1];
    at = record?.type === "restored" ? record.toVersion : at - 1;
  }
  return way.reverse();
}

/** What has to become of the branches, from those that there are to those that there were. */
export function planBranches(
  now: ReadonlyMap<string, RecordedBranch>,
  then: ReadonlyMap<string, RecordedBranch>,
): BranchPlan {
  return {
    set: [...then.values()].map(({ branch, commit, startCommit }) => {
      // One on which nothing was done is not missed: it may be gone, and an earlier rewind has not made it again.
      const present = now.get(branch);
      const isKnown = present !== undefined && present.commit !== present.startCommit;
      return { branch, commit, create: commit !== startCommit && !isKnown };
    }),
    drop: [...now.keys()].filter((branch) => !then.has(branch)),
  };
}
