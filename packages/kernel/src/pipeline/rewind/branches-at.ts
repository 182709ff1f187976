import type { BranchPlan } from "../decision/command.ts";
import type { PipelineRecord } from "../records/record.ts";
import type { PipelineState } from "../state/state.ts";
import { branchOf } from "../state/workspace.ts";

/** A branch and its commits, as recorded. */
export interface RecordedBranch {
  readonly branch: string;
  readonly startCommit: string;
  readonly commit: string;
}

/** The branches of a pipeline at a version, by name, without those of abandoned versions. */
export function branchesAt(
  state: PipelineState,
  records: readonly PipelineRecord[],
  version: number,
): ReadonlyMap<string, RecordedBranch> {
  const branches = new Map<string, RecordedBranch>();
  for (const position of effectiveVersions(records, version)) {
    const record = records[position - 1];
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

/** The versions that lead to the given one, in order, without those that a rewind abandoned. */
export function effectiveVersions(records: readonly PipelineRecord[], version: number): readonly number[] {
  const way: number[] = [];
  for (let at = version; at > 0; ) {
    way.push(at);
    const record = records[at - 1];
    at = record?.type === "restored" ? record.toVersion : at - 1;
  }
  return way.reverse();
}

/** The changes from the current branches to the earlier ones. */
export function planBranches(
  now: ReadonlyMap<string, RecordedBranch>,
  then: ReadonlyMap<string, RecordedBranch>,
): BranchPlan {
  return {
    set: [...then.values()].map(({ branch, commit, startCommit }) => {
      // A branch without work need not exist, and an earlier rewind may not have recreated it.
      const present = now.get(branch);
      const isKnown = present !== undefined && present.commit !== present.startCommit;
      return { branch, commit, create: commit !== startCommit && !isKnown };
    }),
    drop: [...now.keys()].filter((branch) => !then.has(branch)),
  };
}
