import type { PrivateGit } from "./git/private-git.ts";
import { type GitFailure, gitFailure, type Repository, resolveCommit, textOf } from "./git/repository.ts";

/** The base commit of an attempt: the named commit, HEAD, or several commits merged. */
export async function findBase(
  privateGit: PrivateGit,
  repository: Repository,
  path: string,
  names: readonly string[],
  signal: AbortSignal,
): Promise<string | GitFailure> {
  const commits: string[] = [];
  for (const name of names.length > 0 ? names : ["HEAD"]) {
    const commit = await resolveCommit(repository, name, signal);
    if (commit === undefined) return names.length > 0 ? noCommit(path, name) : noCommitYet(path);
    commits.push(commit);
  }
  let [merged = "", ...rest] = commits;
  for (const commit of rest) {
    const next = await merge(privateGit, merged, commit);
    if (typeof next !== "string") return next;
    merged = next;
  }
  return merged;
}

function noCommitYet(path: string): GitFailure {
  return gitFailure(
    `the repository "${path}" has no commit to start from`,
    "create a first commit, and answer with retry",
  );
}

function noCommit(path: string, name: string): GitFailure {
  return gitFailure(`the repository "${path}" has no commit "${name}"`, "fetch it, and answer with retry");
}

/** Deterministic: the date of the merge is that of the newer parent. */
async function merge(privateGit: PrivateGit, left: string, right: string): Promise<string | GitFailure> {
  if ((await privateGit.run(["merge-base", "--is-ancestor", right, left])).ok) return left;
  if ((await privateGit.run(["merge-base", "--is-ancestor", left, right])).ok) return right;
  const tree = await privateGit.run([
    "merge-tree",
    "--write-tree",
    "--name-only",
    "--no-messages",
    "-z",
    left,
    right,
  ]);
  if (!tree.ok) {
    const [, ...files] = tree.code === 1 ? tree.output.split("\0").filter((part) => part !== "") : [];
    if (files.length === 0)
      return gitFailure(`${left} and ${right} cannot be merged: ${tree.reason}`, remedy);
    const named = [...new Set(files)].slice(0, 20).join(", ");
    return gitFailure(`earlier stages made conflicting changes in ${named}: ${left} and ${right}`, remedy);
  }
  const times = await privateGit.run(["log", "--no-walk", "--format=%ct", left, right]);
  const dateSeconds = Math.max(...(textOf(times) ?? "0").split("\n").map(Number));
  const message = "Merge of earlier stages";
  const written = await privateGit.run(commitTree(tree.output.split("\0")[0] ?? "", [left, right], message), {
    dateSeconds,
  });
  return textOf(written) ?? gitFailure(`${left} and ${right} cannot be merged`, remedy);
}

const remedy =
  "abort, and submit the task with sequential stages, or with stages that change different files; the branches are kept";

export function commitTree(tree: string, parents: readonly string[], message: string): readonly string[] {
  return ["commit-tree", tree, ...parents.flatMap((parent) => ["-p", parent]), "-m", message];
}
