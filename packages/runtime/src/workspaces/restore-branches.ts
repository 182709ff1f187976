import type { Restored, RestoreJob } from "../ports/outside.ts";
import { abandonedRef, type HeadChange, headChanges, readHeads } from "./git/branch-heads.ts";
import { git } from "./git/git.ts";
import { findRepository } from "./git/repository.ts";
import type { WorkspaceParts } from "./settings.ts";

/**
 * Restores the branches of a pipeline in one ref transaction. Their current commits are retained under another ref
 * first. Idempotent.
 */
export async function restoreBranches(
  { settings }: Pick<WorkspaceParts, "settings">,
  { repository: path, abandoned, branches }: RestoreJob,
  signal: AbortSignal,
): Promise<Restored> {
  const found = await findRepository(path, settings.allowed, signal);
  if (!found.ok) return { ok: false, reason: found.reason, fix: found.fix };
  const { repository } = found;
  const names = [...branches.set.map(({ branch }) => branch), ...branches.drop];
  const changes = headChanges(await readHeads(repository, names, signal), branches);
  // A branch that a worktree uses stays.
  const checkedOut = changes.filter(({ now }) => now?.checkedOutIn !== undefined);
  const free = changes.filter(({ now }) => now?.checkedOutIn === undefined);
  if (free.length > 0) {
    const input = free.flatMap((change) => stepsOf(change, abandoned)).join("");
    const args = [`--git-dir=${repository.gitDir}`, "update-ref", "--stdin"];
    const run = await git({ args, input }, signal);
    if (!run.ok) return { ok: false, reason: run.reason, fix };
  }
  if (checkedOut.length === 0) return { ok: true };
  const conflicts = checkedOut.map(({ branch, now }) => `"${branch}" is checked out in ${now?.checkedOutIn}`);
  return { ok: false, reason: conflicts.join("; "), fix };
}

const fix = "free the branches, and rewind to the same transition again";

/** Naming the old value makes the update fail if the ref moved meanwhile. */
function stepsOf({ branch, now, target }: HeadChange, abandoned: number): readonly string[] {
  const ref = `refs/heads/${branch}`;
  const old = now?.commit;
  const retain = old === undefined ? [] : [`update ${abandonedRef(branch, abandoned)} ${old}\n`];
  const change =
    target === undefined
      ? `delete ${ref} ${old}\n`
      : old === undefined
        ? `create ${ref} ${target}\n`
        : `update ${ref} ${target} ${old}\n`;
  return [...retain, "option no-deref\n", change];
}
