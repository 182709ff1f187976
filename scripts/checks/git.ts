/** What the checks ask git. An answer is undefined when git is absent, this is no repository, or git says no. */
import { capture } from "../command.ts";

export async function git(...args: readonly string[]): Promise<string | undefined> {
  const { code, output } = await capture("git", args);
  return code === 0 ? output : undefined;
}

export async function currentBranch(): Promise<string | undefined> {
  return git("symbolic-ref", "--quiet", "--short", "HEAD");
}

/** The commit that main stands at: the local branch, else what was last fetched. */
export async function mainCommit(): Promise<string | undefined> {
  for (const ref of ["refs/heads/main", "refs/remotes/origin/main"]) {
    const commit = await git("rev-parse", "--verify", "--quiet", `${ref}^{commit}`);
    if (commit !== undefined) return commit;
  }
  return undefined;
}
