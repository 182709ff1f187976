import type { Ref } from "@baton/contract";
import type { AllowedWorkspaces } from "../processes/allowed-workspaces.ts";
import { checkPath } from "../workspaces/files/check-path.ts";
import { digestInside } from "../workspaces/files/digest-inside.ts";
import { GitObjects } from "./git-objects.ts";
import type { ReferenceLimits } from "./limits.ts";
import { isModificationTime, readFile } from "./read-file.ts";
import type { ReadFrom, Reading, ReadRef } from "./read-ref.ts";
import {
  nearestFolder,
  type ReferencePath,
  realPathWithin,
  resolveInWorkspace,
  resolveLocator,
  workspaceRoot,
} from "./resolve-path.ts";
import { Unreadable } from "./unreadable.ts";

/** Reads a file from disk, or from a commit when the reference names one. */
export function fileReader(folders: AllowedWorkspaces, limits: ReferenceLimits): ReadRef {
  return async ({ uriOrLocator, versionOrSha }, source) => {
    const path = await resolveLocator(uriOrLocator, source, folders);
    return versionOrSha === "" || isModificationTime(versionOrSha)
      ? readFile(path, limits.fileBytes, source.signal)
      : readAt(versionOrSha, path, limits, source.signal);
  };
}

/**
 * Reads an artifact of an earlier stage from its commit or from the workspace. An agent reported the path, so it is
 * validated. Content with another digest is not the artifact.
 */
export function artifactReader(folders: AllowedWorkspaces, limits: ReferenceLimits): ReadRef {
  return async ({ uriOrLocator, versionOrSha, digest }, source) => {
    const checked = checkPath(uriOrLocator);
    if (!checked.ok) throw new Unreadable(checked.reason);
    const reading = versionOrSha
      ? await readAt(
          versionOrSha,
          await resolveInWorkspace(uriOrLocator, source, folders),
          limits,
          source.signal,
        )
      : await readInside(await workspaceRoot(source, folders), uriOrLocator, limits, source.signal);
    if (!/^sha256:/i.test(digest) || digest.toLowerCase() === reading.digest) return reading;
    throw new Unreadable(`its content has changed: its digest is ${reading.digest}`);
  };
}

async function readInside(
  root: string,
  path: string,
  { fileBytes }: ReferenceLimits,
  signal: AbortSignal,
): Promise<Reading> {
  const read = await digestInside(root, path, fileBytes, signal);
  if (!read.ok) throw new Unreadable(read.reason);
  return { digest: read.digest, versionOrSha: "" };
}

/** Reads a commit: a repository folder with a revision as version, or a commit id in the task's workspace. */
export function commitReader(folders: AllowedWorkspaces, limits: ReferenceLimits): ReadRef {
  return async (ref, source) => {
    const { path, revision } = await resolveCommitRef(ref, source, folders);
    const folder = await realPathWithin(path);
    const objects = await GitObjects.open(folder, path.repositories, limits, source.signal);
    const commit = await objects.commit(revision);
    return { digest: await objects.digest("commit", commit), versionOrSha: commit };
  };
}

async function resolveCommitRef(
  { uriOrLocator, versionOrSha }: Ref,
  source: ReadFrom,
  folders: AllowedWorkspaces,
): Promise<{ path: ReferencePath; revision: string }> {
  const isCommit = /^[0-9a-f]{7,64}$/.test(uriOrLocator) && ["", uriOrLocator].includes(versionOrSha);
  if (isCommit) return { path: await resolveInWorkspace("", source, folders), revision: uriOrLocator };
  return { path: await resolveLocator(uriOrLocator, source, folders), revision: versionOrSha || "HEAD" };
}

async function readAt(
  revision: string,
  path: ReferencePath,
  limits: ReferenceLimits,
  signal: AbortSignal,
): Promise<Reading> {
  const { folder, rest } = await nearestFolder(path);
  const objects = await GitObjects.open(folder, path.repositories, limits, signal);
  const commit = await objects.commit(revision);
  const blob = await objects.file(commit, rest);
  return { digest: await objects.digest("blob", blob), versionOrSha: commit };
}
