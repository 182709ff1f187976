import { type GitFailure, gitFailure } from "./git/repository.ts";
import { removeWorkspace } from "./release.ts";
import type { WorkspaceParts } from "./settings.ts";
import type { WorkspaceEntry } from "./workspace-registry.ts";

/**
 * Removes expired workspaces, and retained ones while the quota is exceeded, the oldest first. Returns why no workspace
 * can be added.
 */
export async function enforceQuota(
  parts: WorkspaceParts,
  signal: AbortSignal,
): Promise<GitFailure | undefined> {
  const { registry, settings, now } = parts;
  const entries: WorkspaceEntry[] = [];
  for (const branch of await registry.branches()) {
    const entry = await registry.find(branch);
    if (entry) entries.push(entry);
  }
  const retained = entries
    .filter(({ keepUntilMs }) => keepUntilMs !== undefined)
    .sort((a, b) => (a.keepUntilMs ?? 0) - (b.keepUntilMs ?? 0));
  let count = entries.length;
  let bytes = entries.reduce((sum, entry) => sum + entry.bytes, 0);
  for (const entry of retained) {
    const isExpired = (entry.keepUntilMs ?? 0) <= now();
    if (!isExpired && count < settings.maxWorkspaces && bytes < settings.maxBytes) continue;
    await removeWorkspace(parts, entry.branch, signal);
    count--;
    bytes -= entry.bytes;
  }
  if (count >= settings.maxWorkspaces) {
    const reason = `agents use ${count} of at most ${settings.maxWorkspaces} workspaces`;
    return gitFailure(reason, "answer with retry when some of them are done, or increase workspaces.places");
  }
  if (bytes < settings.maxBytes) return undefined;
  const reason = `the workspaces of agents have ${bytes} bytes, the limit is ${settings.maxBytes}`;
  return gitFailure(reason, "answer with retry when some of them are done, or increase workspaces.bytes");
}
