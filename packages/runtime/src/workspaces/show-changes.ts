import type { Changes, ChangesJob } from "../ports/outside.ts";
import { git } from "./git.ts";
import { maskKeys } from "./mask-keys.ts";
import { commitName, findRepository } from "./repository.ts";
import type { WorkspaceSettings } from "./settings.ts";

/** Of a larger change the beginning is shown. */
const mostCharacters = 524_288;
const limits = { timeoutMs: 20_000, outputBytes: 8_388_608 };

/** What an attempt changed, from the commits that the hub kept: as a patch, made with nobody's filters. */
export async function showChanges(
  { repository, base, commit }: ChangesJob,
  { allowed }: Pick<WorkspaceSettings, "allowed">,
  signal: AbortSignal,
): Promise<Changes> {
  if (!commitName.test(base) || !commitName.test(commit))
    return { ok: false, reason: "no commit is known of it" };
  const found = await findRepository(repository, allowed, signal);
  if (!found.ok) return { ok: false, reason: found.reason };
  const options = ["--no-color", "--no-ext-diff", "--no-textconv", "--find-renames", "--unified=3"];
  const args = ["--git-dir", found.repository.gitDir, "diff", ...options, base, commit, "--"];
  const run = await git({ args }, signal, limits);
  if (!run.ok) return { ok: false, reason: `git cannot compare the commits: ${run.reason}` };
  const patch = maskKeys(run.output);
  const isCut = patch.length > mostCharacters;
  return { ok: true, patch: patch.slice(0, mostCharacters), isCut };
}
