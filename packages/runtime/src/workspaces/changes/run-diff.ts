import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ChangeSizeSchema } from "@baton/contract";
import type { SeenSize } from "@baton/kernel";
import { create } from "@bufbuild/protobuf";
import type { RunChanges, RunChangesJob, WholeChange } from "../../ports/outside.ts";
import { findWorkspace } from "../../processes/allowed-workspaces.ts";
import type { GitRun } from "../git/git.ts";
import { byContent, openPrivateGit, type PrivateGit } from "../git/private-git.ts";
import { commitName, findRepository } from "../git/repository.ts";
import type { WorkspaceParts } from "../settings.ts";
import { defaultSnapshotLimits } from "../settings.ts";
import { snapshotFolder } from "./folder-snapshot.ts";
import { type ChangedPath, describeFiles, readPaths, readSections } from "./parse-diff.ts";

/** Limits of listed files, characters of all diffs, and git's output. */
export const runChangesLimits = {
  files: 500,
  characters: 524_288,
  git: { timeoutMs: 20_000, outputBytes: 33_554_432 },
  /** Shared folders are read on every request, so their limits are lower. */
  folder: { ...defaultSnapshotLimits, files: 2_000, totalBytes: 67_108_864 },
};

/**
 * Everything that a run changed, file by file, for reviewers. Git uses a private directory: settings and attributes of
 * the repository cannot hide a file.
 */
export async function runDiff(
  parts: WorkspaceParts,
  job: RunChangesJob,
  signal: AbortSignal,
): Promise<RunChanges> {
  const result = await withRange(parts, job, signal, async (range): Promise<RunChanges> => {
    const listed = await listPaths(range);
    if (!listed.ok) return cannotCompare(listed.reason);
    const patch = await diffTree(range, ["--patch", "--unified=3"]);
    if (!patch.ok && !patch.isTooMuch) return cannotCompare(patch.reason);
    return { ok: true, base: range.base, change: wholeChange(listed.paths, patch.output) };
  });
  return result.ok ? result.value : result;
}

/** Size of the change, counted like `runDiff`. */
export async function runSize(
  parts: WorkspaceParts,
  job: RunChangesJob,
  signal: AbortSignal,
): Promise<SeenSize | undefined> {
  const result = await withRange(parts, job, signal, listPaths);
  return result.ok && result.value.ok ? sizeOf(result.value.paths) : undefined;
}

/** Two trees and the git directory to compare them with. */
interface Range {
  readonly privateGit: PrivateGit;
  readonly base: string;
  readonly to: string;
  /** Additional object folder. */
  readonly objects?: string;
}

type WithRange<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly reason: string };

function withRange<Value>(
  parts: WorkspaceParts,
  job: RunChangesJob,
  signal: AbortSignal,
  use: (range: Range) => Promise<Value>,
): Promise<WithRange<Value>> {
  return "folder" in job ? inFolder(parts, job, signal, use) : betweenCommits(parts, job, signal, use);
}

async function betweenCommits<Value>(
  { settings, scratchFolder }: WorkspaceParts,
  { repository, base, commit }: Extract<RunChangesJob, { commit: string }>,
  signal: AbortSignal,
  use: (range: Range) => Promise<Value>,
): Promise<WithRange<Value>> {
  if (!commitName.test(base) || !commitName.test(commit))
    return { ok: false, reason: "the hub kept no commit of this attempt" };
  const found = await findRepository(repository, settings.allowed, signal);
  if (!found.ok) return { ok: false, reason: found.reason };
  const privateGit = await openPrivateGit(scratchFolder, found.repository, signal, byContent);
  try {
    return { ok: true, value: await use({ privateGit, base, to: commit }) };
  } finally {
    await privateGit.close();
  }
}

async function inFolder<Value>(
  { settings }: WorkspaceParts,
  { folder, base }: Extract<RunChangesJob, { folder: string }>,
  signal: AbortSignal,
  use: (range: Range) => Promise<Value>,
): Promise<WithRange<Value>> {
  const found = await findWorkspace(folder, settings.allowed);
  if (!found.ok) return { ok: false, reason: found.reason };
  const ownFolder = await mkdtemp(join(tmpdir(), "baton-git-"));
  try {
    const { directory } = found;
    const target = { directory, base, limits: runChangesLimits.folder, attributes: byContent };
    const taken = await snapshotFolder(ownFolder, target, signal);
    if (!taken.ok) return taken;
    const { privateGit, sharedObjects: objects, snapshot } = taken;
    return { ok: true, value: await use({ privateGit, base: taken.base, to: snapshot.tree, objects }) };
  } finally {
    await rm(ownFolder, { recursive: true, force: true });
  }
}

async function listPaths(
  range: Range,
): Promise<
  | { readonly ok: true; readonly paths: readonly ChangedPath[] }
  | { readonly ok: false; readonly reason: string }
> {
  const listed = await diffTree(range, ["-z", "--raw", "--numstat"]);
  return listed.ok ? { ok: true, paths: readPaths(listed.output) } : listed;
}

function diffTree({ privateGit, base, to, objects }: Range, options: readonly string[]): Promise<GitRun> {
  const flags = ["diff-tree", "-r", "--find-renames", "--no-color", "--no-ext-diff", "--no-textconv"];
  return privateGit.run([...flags, ...options, base, to], { objects, limits: runChangesLimits.git });
}

function cannotCompare(reason: string): RunChanges {
  return { ok: false, reason: `git cannot compare the commits: ${reason}` };
}

function wholeChange(paths: readonly ChangedPath[], patch: string): WholeChange {
  const { files: max, characters } = runChangesLimits;
  const files = describeFiles(paths.slice(0, max), readSections(patch), characters);
  const unlisted = paths.slice(max);
  const leftOut = [...files.map(({ linesLeftOut }) => linesLeftOut), ...unlisted.map(linesOf)];
  return {
    files: [...files],
    size: create(ChangeSizeSchema, sizeOf(paths)),
    filesLeftOut: unlisted.length,
    linesLeftOut: leftOut.reduce((sum, lines) => sum + lines, 0),
  };
}

function linesOf({ added, removed }: ChangedPath): number {
  return added + removed;
}

function sizeOf(paths: readonly ChangedPath[]): SeenSize {
  return {
    files: paths.length,
    addedLines: paths.reduce((sum, { added }) => sum + added, 0),
    removedLines: paths.reduce((sum, { removed }) => sum + removed, 0),
  };
}
