/** What the checks ask git about a tree. An answer is undefined when git says no. */
import { captureIn } from "../command.ts";

export async function git(tree: string, ...args: readonly string[]): Promise<string | undefined> {
  const { code, output } = await captureIn(tree, "git", args);
  return code === 0 ? output : undefined;
}

/** Why there is nothing to ask: git is absent, this is no repository, or git does not trust it. */
export async function whyWithoutGit(tree: string): Promise<string | undefined> {
  const { code, output } = await captureIn(tree, "git", ["rev-parse", "--git-dir"]);
  return code === 0 ? undefined : `without git: ${output.split("\n")[0]}`;
}

export async function currentBranch(tree: string): Promise<string | undefined> {
  return git(tree, "symbolic-ref", "--quiet", "--short", "HEAD");
}

/** The commit that main stands at: the local branch, else what was last fetched. */
export async function mainCommit(tree: string): Promise<string | undefined> {
  for (const ref of ["refs/heads/main", "refs/remotes/origin/main"]) {
    const commit = await git(tree, "rev-parse", "--verify", "--quiet", `${ref}^{commit}`);
    if (commit !== undefined) return commit;
  }
  return undefined;
}
