import { type Pipeline, type Stage, StageStatus } from "@baton/contract/messages";

/** The commit of a completed stage that no other completed stage builds on: merging it takes all work before it along. */
export interface KeptWork {
  readonly stageId: string;
  /** Up to this attempt the run changed what the merge brings. */
  readonly dispatchId: string;
  readonly repository: string;
  readonly commit: string;
  /** What a person types in a shell to take the work over. */
  readonly mergeCommand: string;
}

/** The stages whose answer no completed stage took up: what they say is the result of the run. */
export function finalAnswers({ stages }: Pipeline): readonly Stage[] {
  const answered = stages.filter(({ result }) => result !== undefined);
  const completed = answered.filter(({ status }) => status === StageStatus.COMPLETED);
  const needed = new Set(completed.flatMap(({ config }) => config?.dependsOnStages ?? []));
  return answered.filter(({ stageId }) => !needed.has(stageId));
}

/** What a run left in its repository, also one that failed or was aborted: only accepted work counts. */
export function keptWork({ stages }: Pipeline): readonly KeptWork[] {
  const kept = stages.filter(isKept);
  const needed = new Set(kept.flatMap(({ config }) => config?.dependsOnStages ?? []));
  const last = kept.filter(({ stageId }) => !needed.has(stageId));
  return last.map(({ stageId, dispatchId, workspace, commit }) => {
    const repository = workspace?.repository ?? "";
    // By its commit: a stage that changed nothing leaves no branch of its own.
    const mergeCommand = `git -C ${shellQuote(repository)} merge ${commit.slice(0, 12)}`;
    return { stageId, dispatchId, repository, commit, mergeCommand };
  });
}

/** Whether the hub keeps a commit of accepted work. */
function isKept({ status, commit, workspace }: Stage): boolean {
  return status === StageStatus.COMPLETED && commit !== "" && !!workspace?.repository;
}

/** A word that a shell takes as it is. */
export function shellQuote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
