import type { PreparedWorkspace } from "@baton/kernel";
import type { PrepareJob } from "../ports/outside.ts";
import { findBase } from "./find-base.ts";
import { checkOut } from "./git/check-out.ts";
import { openPrivateGit, type PrivateGit } from "./git/private-git.ts";
import { findRepository, type GitFailure, gitFailure, resolveCommit, setBranch } from "./git/repository.ts";
import type { WorkspaceParts } from "./settings.ts";
import type { WorkspaceEntry } from "./workspace-registry.ts";

/**
 * Prepares the workspace of an attempt: a folder with a git directory of its own, which borrows the repository's
 * objects. Settings, hooks, stash, branches and history that an agent changes are local to it.
 *
 * A complete workspace is returned unchanged, because its agent may be working there. A new one is built elsewhere and
 * moved into place: a git process that outlived its hub cannot interfere.
 */
export async function prepareWorkspace(
  { registry, settings, scratchFolder, now }: WorkspaceParts,
  { dispatchId, repository: path, branch, base: names, start, subject }: PrepareJob,
  signal: AbortSignal,
): Promise<PreparedWorkspace> {
  const folder = registry.folderOf(branch);
  const existing = await registry.find(branch);
  if (existing) return prepared(existing, folder);
  const found = await findRepository(path, settings.allowed, signal);
  if (!found.ok) return found;
  const { repository } = found;
  // The agent would get the whole repository, which a caller who names a folder does not expect.
  if (repository.root !== undefined)
    return gitFailure(
      `"${path}" is a folder in the repository ${repository.root}`,
      "abort, and submit the task with the repository itself",
    );
  await registry.remove(branch); // Leftovers of a killed hub, without an entry.
  const privateGit = await openPrivateGit(scratchFolder, repository, signal);
  try {
    const base = await findBase(privateGit, repository, path, names, signal);
    if (typeof base !== "string") return base;
    const startCommit = start === undefined ? base : await resolveCommit(repository, start, signal);
    if (startCommit === undefined)
      return gitFailure(
        `the repository "${path}" no longer has ${start}`,
        "search for it with git fsck, or abort",
      );
    const size = await sizeOf(privateGit, startCommit);
    if (!size.ok) return size;
    const { bytes } = size;
    if (bytes > settings.maxWorkspaceBytes) {
      const max = settings.maxWorkspaceBytes;
      return gitFailure(
        `the files of ${startCommit} have ${bytes} bytes, the limit of a workspace is ${max}`,
        "increase workspaces.place_bytes, or use a smaller repository",
      );
    }
    const pinned = await setBranch(repository, branch, startCommit, signal);
    if (typeof pinned !== "string") return pinned;
    const problem = await checkOut(repository, privateGit.newFolder, branch, startCommit, signal);
    if (problem) return problem;
    await registry.adopt(branch, privateGit.newFolder);
    const entry: WorkspaceEntry = {
      ...{ dispatchId, repository: path, branch, baseCommit: base, startCommit, madeAtMs: now(), bytes },
      subject,
    };
    await registry.save(entry);
    return prepared(entry, folder);
  } finally {
    await privateGit.close();
  }
}

function prepared({ branch, baseCommit, startCommit }: WorkspaceEntry, path: string): PreparedWorkspace {
  return { ok: true, path, branch, baseCommit, startCommit };
}

/** A commit of unknown size may be too large. */
async function sizeOf(
  privateGit: PrivateGit,
  commit: string,
): Promise<{ readonly ok: true; readonly bytes: number } | GitFailure> {
  const listed = await privateGit.run(["ls-tree", "-r", "-z", "--format=%(objectsize)", commit]);
  if (!listed.ok)
    return gitFailure(
      `the size of the files of ${commit} is unknown: ${listed.reason}`,
      "find missing objects with git fsck, use git 2.36 or newer, and answer with retry",
    );
  const bytes = listed.output.split("\0").reduce((sum, size) => sum + (Number(size) || 0), 0);
  return { ok: true, bytes };
}
