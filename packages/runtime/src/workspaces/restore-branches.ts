import type { Restored, RestoreJob } from "../ports/outside.ts";
import { git } from "./git.ts";
import { abandonedRef, type HeadChange, headChanges, readHeads } from "./heads.ts";
import { findRepository } from "./repository.ts";
import type { WorkspaceParts } from "./settings.ts";

/**
 * Sets the branches of a pipeline as they were, in one transaction of git. What they stood at is kept under another name
 * first, whoever made it. A second time finds them as they are to be, and changes nothing.
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
  // Nobody's checkout is changed under them.
  const [looked, free] = partition(changes, ({ now }) => now?.checkedOutIn !== undefined);
  if (free.length > 0) {
    const input = free.flatMap((change) => stepsOf(change, abandoned)).join("");
    const args = [`--git-dir=${repository.gitDir}`, "update-ref", "--stdin"];
    const run = await git({ args, input }, signal);
    if (!run.ok) return { ok: false, reason: run.reason, fix };
  }
  if (looked.length === 0) return { ok: true };
  const told = looked.map(({ branch, now }) => `"${branch}" is checked out in ${now?.checkedOutIn}`);
  return { ok: false, reason: told.join("; "), fix };
}

const fix = "free the branches, and rewind to the same transition again";

/** The old value is named: whoever moved it in between is not overrun. */
function stepsOf({ branch, now, target }: HeadChange, abandoned: number): readonly string[] {
  const ref = `refs/heads/${branch}`;
  const old = now?.commit;
  const keep = old === undefined ? [] : [`update ${abandonedRef(branch, abandoned)} ${old}\n`];
  const change =
    target === undefined
      ? `delete ${ref} ${old}\n`
      : old === undefined
        ? `create ${ref} ${target}\n`
        : `update ${ref} ${target} ${old}\n`;
  return [...keep, "option no-deref\n", change];
}

function partition<Item>(items: readonly Item[], isFirst: (item: Item) => boolean): [Item[], Item[]] {
  const parts: [Item[], Item[]] = [[], []];
  for (const item of items) parts[isFirst(item) ? 0 : 1].push(item);
  return parts;
}
