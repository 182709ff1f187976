import { type Pipeline, type Stage, StageStatus } from "@baton/contract/messages";

/** The commit of a completed stage on which no other completed stage builds: merging it merges all work before it. */
export interface KeptWork {
  readonly stageId: string;
  /** The attempt that made the commit. */
  readonly dispatchId: string;
  readonly repository: string;
  readonly commit: string;
  /** The shell command that merges it. */
  readonly mergeCommand: string;
}

/** The stages whose results no completed stage builds on: the result of the run. */
export function finalAnswers({ stages }: Pipeline): readonly Stage[] {
  const answered = stages.filter(({ result }) => result !== undefined);
  const completed = answered.filter(({ status }) => status === StageStatus.COMPLETED);
  const needed = new Set(completed.flatMap(({ config }) => config?.dependsOnStages ?? []));
  return answered.filter(({ stageId }) => !needed.has(stageId));
}

/** The accepted work of a run in its repository, also of one that failed or was aborted. */
export function keptWork({ stages }: Pipeline): readonly KeptWork[] {
  const kept = stages.filter(isKept);
  const needed = new Set(kept.flatMap(({ config }) => config?.dependsOnStages ?? []));
  // The run began with these commits: there is nothing to merge of them.
  const roots = new Set(kept.filter(isFirst).map(({ workspace }) => workspace?.baseCommit));
  const last = kept.filter(({ stageId, commit }) => !needed.has(stageId) && !roots.has(commit));
  return last.map(({ stageId, dispatchId, workspace, commit }) => {
    const repository = workspace?.repository ?? "";
    // By commit, because a stage without changes has no branch.
    const mergeCommand = `git -C ${shellQuote(repository)} merge ${commit.slice(0, 12)}`;
    return { stageId, dispatchId, repository, commit, mergeCommand };
  });
}

/** Whether the hub keeps a commit of accepted work. */
function isKept({ status, commit, workspace }: Stage): boolean {
  return status === StageStatus.COMPLETED && commit !== "" && !!workspace?.repository;
}

function isFirst({ config }: Stage): boolean {
  return (config?.dependsOnStages ?? []).length === 0;
}

/** Quotes a word for a shell. */
export function shellQuote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
