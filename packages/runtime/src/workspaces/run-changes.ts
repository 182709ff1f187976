import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ChangeSizeSchema } from "@baton/contract";
import type { SeenSize } from "@baton/kernel";
import { create } from "@bufbuild/protobuf";
import { findWorkspace } from "../evidence/allowed-workspaces.ts";
import type { RunChanges, RunChangesJob, WholeChange } from "../ports/outside.ts";
import { byContent, type Desk, openDesk } from "./desk.ts";
import { snapshotFolder } from "./folder-snapshot.ts";
import type { GitRun } from "./git.ts";
import { type ChangedPath, describeFiles, readPaths, readSections } from "./read-diff.ts";
import { commitName, findRepository } from "./repository.ts";
import type { WorkspaceParts } from "./settings.ts";
import { defaultSnapshotLimits } from "./snapshot.ts";

/** Files that are listed one by one, characters of all their diffs, and what is read of git to make them. */
export const runChangesLimits = {
  files: 500,
  characters: 524_288,
  git: { timeoutMs: 20_000, outputBytes: 33_554_432 },
  /** A shared folder is read again whenever somebody looks: of more, git is to be asked. */
  folder: { ...defaultSnapshotLimits, files: 2_000, totalBytes: 67_108_864 },
};

/**
 * What a whole run changed, file by file, for whoever reviews it. Git works at a desk of the hub's own, so that neither the
 * settings nor the attributes of a repository can leave a file out of what is shown.
 */
export async function showRunChanges(
  parts: WorkspaceParts,
  job: RunChangesJob,
  signal: AbortSignal,
): Promise<RunChanges> {
  const shown = await withRange(parts, job, signal, async (range): Promise<RunChanges> => {
    const listed = await listPaths(range);
    if (!listed.ok) return cannot(listed.reason);
    const patch = await diffTree(range, ["--patch", "--unified=3"]);
    if (!patch.ok && !patch.isTooMuch) return cannot(patch.reason);
    return { ok: true, base: range.base, change: wholeChange(listed.paths, patch.output) };
  });
  return shown.ok ? shown.value : shown;
}

/** How much a whole run changed, counted as `showRunChanges` does. */
export async function measureRun(
  parts: WorkspaceParts,
  job: RunChangesJob,
  signal: AbortSignal,
): Promise<SeenSize | undefined> {
  const seen = await withRange(parts, job, signal, listPaths);
  return seen.ok && seen.value.ok ? sizeOf(seen.value.paths) : undefined;
}

/** Two trees, and where git is asked about them. */
interface Range {
  readonly desk: Desk;
  readonly base: string;
  readonly to: string;
  /** Objects that are read besides those of the desk. */
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
  { settings, desks }: WorkspaceParts,
  { repository, base, commit }: Extract<RunChangesJob, { commit: string }>,
  signal: AbortSignal,
  use: (range: Range) => Promise<Value>,
): Promise<WithRange<Value>> {
  if (!commitName.test(base) || !commitName.test(commit))
    return { ok: false, reason: "the hub kept no commit of this attempt" };
  const found = await findRepository(repository, settings.allowed, signal);
  if (!found.ok) return { ok: false, reason: found.reason };
  const desk = await openDesk(desks, found.repository, signal, byContent);
  try {
    return { ok: true, value: await use({ desk, base, to: commit }) };
  } finally {
    await desk.close();
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
  const own = await mkdtemp(join(tmpdir(), "baton-git-"));
  try {
    const { directory } = found;
    const given = { directory, base, limits: runChangesLimits.folder, attributes: byContent };
    const seen = await snapshotFolder(own, given, signal);
    if (!seen.ok) return seen;
    const { desk, theirs, snapshot } = seen;
    return { ok: true, value: await use({ desk, base: seen.base, to: snapshot.tree, objects: theirs }) };
  } finally {
    await rm(own, { recursive: true, force: true });
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

function diffTree({ desk, base, to, objects }: Range, options: readonly string[]): Promise<GitRun> {
  const plain = ["diff-tree", "-r", "--find-renames", "--no-color", "--no-ext-diff", "--no-textconv"];
  return desk.git([...plain, ...options, base, to], { objects, limits: runChangesLimits.git });
}

function cannot(reason: string): RunChanges {
  return { ok: false, reason: `git cannot compare the commits: ${reason}` };
}

function wholeChange(paths: readonly ChangedPath[], patch: string): WholeChange {
  const { files: most, characters } = runChangesLimits;
  const files = describeFiles(paths.slice(0, most), readSections(patch), characters);
  const unlisted = paths.slice(most);
  const notShown = [...files.map(({ linesLeftOut }) => linesLeftOut), ...unlisted.map(linesOf)];
  return {
    files: [...files],
    size: create(ChangeSizeSchema, sizeOf(paths)),
    filesLeftOut: unlisted.length,
    linesLeftOut: notShown.reduce((sum, lines) => sum + lines, 0),
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
