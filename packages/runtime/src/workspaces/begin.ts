import type { Desk } from "./desk.ts";
import { type Repository, resolveCommit, type Trouble, textOf, trouble } from "./repository.ts";

/** The commit that an attempt is compared with: one that is named, where the repository stands, or several merged. */
export async function findBase(
  desk: Desk,
  repository: Repository,
  path: string,
  names: readonly string[],
  signal: AbortSignal,
): Promise<string | Trouble> {
  const commits: string[] = [];
  for (const name of names.length > 0 ? names : ["HEAD"]) {
    const commit = await resolveCommit(repository, name, signal);
    if (commit === undefined) return names.length > 0 ? noCommit(path, name) : noCommitYet(path);
    commits.push(commit);
  }
  let [merged = "", ...others] = commits;
  for (const other of others) {
    const next = await merge(desk, merged, other);
    if (typeof next !== "string") return next;
    merged = next;
  }
  return merged;
}

function noCommitYet(path: string): Trouble {
  return trouble(
    `the repository "${path}" has no commit yet, and work has to begin with one`,
    "make a first commit, and answer with retry",
  );
}

function noCommit(path: string, name: string): Trouble {
  return trouble(`the repository "${path}" has no commit "${name}"`, "fetch it there, and answer with retry");
}

/** The same two always give the same commit: its time is that of the younger one. */
async function merge(desk: Desk, one: string, other: string): Promise<string | Trouble> {
  if ((await desk.git(["merge-base", "--is-ancestor", other, one])).ok) return one;
  if ((await desk.git(["merge-base", "--is-ancestor", one, other])).ok) return other;
  const tree = await desk.git([
    "merge-tree",
    "--write-tree",
    "--name-only",
    "--no-messages",
    "-z",
    one,
    other,
  ]);
  if (!tree.ok) {
    const [, ...files] = tree.code === 1 ? tree.output.split("\0").filter((part) => part !== "") : [];
    if (files.length === 0) return trouble(`${one} and ${other} cannot be merged: ${tree.reason}`, remedy);
    const named = [...new Set(files)].slice(0, 20).join(", ");
    return trouble(
      `what the stages before it left contradicts itself in ${named}: ${one} and ${other}`,
      remedy,
    );
  }
  const times = await desk.git(["log", "--no-walk", "--format=%ct", one, other]);
  const at = Math.max(...(textOf(times) ?? "0").split("\n").map(Number));
  const message = "What the stages before it left, merged";
  const written = await desk.git(commitTree(tree.output.split("\0")[0] ?? "", [one, other], message), { at });
  return textOf(written) ?? trouble(`${one} and ${other} cannot be merged`, remedy);
}

const remedy =
  "abort, and submit it with stages that follow one another, or whose files do not meet; the branches are there";

export function commitTree(tree: string, parents: readonly string[], message: string): readonly string[] {
  return ["commit-tree", tree, ...parents.flatMap((parent) => ["-p", parent]), "-m", message];
}
