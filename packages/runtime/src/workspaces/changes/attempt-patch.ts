import type { Changes, ChangesJob } from "../../ports/outside.ts";
import { git } from "../git/git.ts";
import { maskKeys } from "../git/mask-keys.ts";
import { commitName, findRepository } from "../git/repository.ts";
import type { WorkspaceSettings } from "../settings.ts";

/** Longer patches are truncated. */
const maxCharacters = 524_288;
const limits = { timeoutMs: 20_000, outputBytes: 8_388_608 };

/** The patch between two commits of the hub, made without any configured filter. */
export async function attemptPatch(
  { repository, base, commit }: ChangesJob,
  { allowed }: Pick<WorkspaceSettings, "allowed">,
  signal: AbortSignal,
): Promise<Changes> {
  if (!commitName.test(base) || !commitName.test(commit))
    return { ok: false, reason: "the hub has no commit of this attempt" };
  const found = await findRepository(repository, allowed, signal);
  if (!found.ok) return { ok: false, reason: found.reason };
  const options = ["--no-color", "--no-ext-diff", "--no-textconv", "--find-renames", "--unified=3"];
  const args = ["--git-dir", found.repository.gitDir, "diff", ...options, base, commit, "--"];
  const run = await git({ args }, signal, limits);
  if (!run.ok) return { ok: false, reason: `git cannot compare the commits: ${run.reason}` };
  const patch = maskKeys(run.output);
  const isCut = patch.length > maxCharacters;
  return { ok: true, patch: patch.slice(0, maxCharacters), isCut };
}
