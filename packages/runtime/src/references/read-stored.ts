import type { Ref } from "@baton/contract";
import type { AllowedWorkspaces } from "../evidence/allowed-workspaces.ts";
import { digestInside } from "../workspaces/digest-inside.ts";
import { checkPath } from "../workspaces/path-inside.ts";
import { GitObjects } from "./git-objects.ts";
import type { ReferenceLimits } from "./limits.ts";
import { inWorkspace, nearestFolder, type Place, placeOf, realPlace, workspaceRoot } from "./place.ts";
import { isTimeOfChange, readFile } from "./read-file.ts";
import type { ReadFrom, Reading, ReadRef } from "./read-ref.ts";
import { Unreadable } from "./unreadable.ts";

/** A file: as it is on the disk, or as a commit has it when the reference names one. */
export function fileReader(folders: AllowedWorkspaces, limits: ReferenceLimits): ReadRef {
  return async ({ uriOrLocator, versionOrSha }, from) => {
    const place = await placeOf(uriOrLocator, from, folders);
    return versionOrSha === "" || isTimeOfChange(versionOrSha)
      ? readFile(place, limits.fileBytes, from.signal)
      : readAt(versionOrSha, place, limits, from.signal);
  };
}

/**
 * What an earlier stage made, in the commit that it made or else in the workspace. An agent has named it, so its path is
 * taken as paths of agents are. Its digest says which content is meant: other content is not the artifact.
 */
export function artifactReader(folders: AllowedWorkspaces, limits: ReferenceLimits): ReadRef {
  return async ({ uriOrLocator, versionOrSha, digest }, from) => {
    const path = checkPath(uriOrLocator);
    if (!path.ok) throw new Unreadable(path.reason);
    const reading = versionOrSha
      ? await readAt(versionOrSha, await inWorkspace(uriOrLocator, from, folders), limits, from.signal)
      : await readInside(await workspaceRoot(from, folders), uriOrLocator, limits, from.signal);
    if (!/^sha256:/i.test(digest) || digest.toLowerCase() === reading.digest) return reading;
    throw new Unreadable(`it is not what was made: its digest is ${reading.digest}`);
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

/** A commit: the folder of a repository with a revision as its version, or an id in the workspace of the task. */
export function commitReader(folders: AllowedWorkspaces, limits: ReferenceLimits): ReadRef {
  return async (ref, from) => {
    const { place, revision } = await commitMeant(ref, from, folders);
    const folder = await realPlace(place);
    const objects = await GitObjects.open(folder, place.repositories, limits, from.signal);
    const commit = await objects.commit(revision);
    return { digest: await objects.digest("commit", commit), versionOrSha: commit };
  };
}

async function commitMeant(
  { uriOrLocator, versionOrSha }: Ref,
  from: ReadFrom,
  folders: AllowedWorkspaces,
): Promise<{ place: Place; revision: string }> {
  const isCommit = /^[0-9a-f]{7,64}$/.test(uriOrLocator) && ["", uriOrLocator].includes(versionOrSha);
  if (isCommit) return { place: await inWorkspace("", from, folders), revision: uriOrLocator };
  return { place: await placeOf(uriOrLocator, from, folders), revision: versionOrSha || "HEAD" };
}

async function readAt(
  revision: string,
  place: Place,
  limits: ReferenceLimits,
  signal: AbortSignal,
): Promise<Reading> {
  const { folder, rest } = await nearestFolder(place);
  const objects = await GitObjects.open(folder, place.repositories, limits, signal);
  const commit = await objects.commit(revision);
  const blob = await objects.file(commit, rest);
  return { digest: await objects.digest("blob", blob), versionOrSha: commit };
}
