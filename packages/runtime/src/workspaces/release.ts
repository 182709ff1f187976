import type { ReleaseJob, ReportWorkLeft } from "../ports/outside.ts";
import { commitWork } from "./commit-work.ts";
import { dropBranch, findRepository } from "./git/repository.ts";
import type { WorkspaceParts } from "./settings.ts";
import type { WorkspaceEntry } from "./workspace-registry.ts";

/** Commits the work of an ended attempt and removes its workspace, now or after `keepForMs`. */
export async function releaseWorkspace(
  parts: WorkspaceParts,
  { branch, completed }: Pick<ReleaseJob, "branch" | "completed">,
  signal: AbortSignal,
  left: ReportWorkLeft,
): Promise<void> {
  const { registry, settings, now } = parts;
  const entry = await registry.find(branch);
  if (!entry) return registry.remove(branch);
  // Lost attempts leave work too.
  const kept = await commitWork(parts, { branch }, signal);
  // The commit must be recorded before the workspace entry that names it is removed.
  if (kept.ok && kept.commit !== entry.startCommit) await left(entry.dispatchId, kept.commit);
  const isRetained = settings.keep === "always" || (settings.keep === "failed" && !completed);
  if (!isRetained || settings.keepForMs <= 0) return removeWorkspace(parts, branch, signal);
  const current = (await registry.find(branch)) ?? entry;
  await registry.save({ ...current, keepUntilMs: current.keepUntilMs ?? now() + settings.keepForMs });
}

/** Removes the folder. The branch stays unless nothing was committed. */
export async function removeWorkspace(
  { registry, settings }: WorkspaceParts,
  branch: string,
  signal: AbortSignal,
): Promise<void> {
  const entry = await registry.find(branch);
  if (entry && isUnchanged(entry)) {
    const found = await findRepository(entry.repository, settings.allowed, signal);
    if (found.ok) await dropBranch(found.repository, branch, entry.startCommit, signal);
  }
  await registry.remove(branch);
}

function isUnchanged({ kept, startCommit }: WorkspaceEntry): boolean {
  return kept === undefined || kept.commit === startCommit;
}
