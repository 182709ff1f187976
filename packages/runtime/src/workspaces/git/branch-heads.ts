import { git } from "./git.ts";
import type { Repository } from "./repository.ts";

/** The commit of a branch, and where it is checked out. */
export interface Head {
  readonly commit: string;
  /** Folder of the worktree; undefined when no worktree uses the branch. */
  readonly checkedOutIn: string | undefined;
}

/** Heads of all branches of the pipelines, by name. Throws when git fails. */
export async function readHeads(
  { gitDir }: Repository,
  branches: Iterable<string>,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Head>> {
  const pipelines = new Set([...branches].map((branch) => branch.split("/").slice(0, 2).join("/")));
  const heads = new Map<string, Head>();
  for (const pipeline of pipelines) {
    const format = "--format=%(refname)%00%(objectname)%00%(worktreepath)";
    const args = [`--git-dir=${gitDir}`, "for-each-ref", format, `refs/heads/${pipeline}/`];
    const run = await git({ args }, signal);
    if (!run.ok) throw new Error(run.reason);
    for (const line of run.output.split("\n")) {
      const [name = "", commit = "", folder = ""] = line.split("\0");
      if (commit !== "")
        heads.set(name.replace(/^refs\/heads\//, ""), { commit, checkedOutIn: folder || undefined });
    }
  }
  return heads;
}

/**
 * The ref that retains a branch's commit when a rewind moves it: `refs/baton/abandoned/PIPELINE/VERSION/STAGE/ATTEMPT`.
 */
export function abandonedRef(branch: string, version: number): string {
  const [baton, pipeline, ...rest] = branch.split("/");
  if (baton !== "baton" || rest.length === 0) throw new Error(`"${branch}" is no branch of the hub`);
  return `refs/baton/abandoned/${pipeline}/${version}/${rest.join("/")}`;
}

export interface HeadChange {
  readonly branch: string;
  readonly now: Head | undefined;
  /** Undefined deletes the branch. */
  readonly target: string | undefined;
}

/** Branches whose head differs from the plan. A branch that a user deleted is not created again. */
export function headChanges(
  heads: ReadonlyMap<string, Head>,
  plan: {
    readonly set: readonly { readonly branch: string; readonly commit: string; readonly create: boolean }[];
    readonly drop: readonly string[];
  },
): readonly HeadChange[] {
  const set = plan.set.flatMap(({ branch, commit, create }): HeadChange[] => {
    const now = heads.get(branch);
    return now?.commit === commit || (!now && !create) ? [] : [{ branch, now, target: commit }];
  });
  const drop = plan.drop.flatMap((branch): HeadChange[] => {
    const now = heads.get(branch);
    return now ? [{ branch, now, target: undefined }] : [];
  });
  return [...set, ...drop];
}
