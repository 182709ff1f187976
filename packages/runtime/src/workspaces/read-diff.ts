import { ArtifactAction, type FileDiff, FileDiffSchema } from "@baton/contract";
import { countHidden, fitDiffs, isTestFile } from "@baton/kernel/deciding";
import { create } from "@bufbuild/protobuf";
import { maskKeys } from "./mask-keys.ts";

/** What `git diff-tree --raw --numstat -z` says of one file. */
export interface ChangedPath {
  readonly path: string;
  readonly oldPath: string;
  readonly status: string;
  readonly oldMode: string;
  readonly newMode: string;
  readonly added: number;
  readonly removed: number;
  readonly isBinary: boolean;
}

/** Entries of modes first, then those of numbers, in the same order. A renamed file has two paths in each. */
export function readPaths(output: string): readonly ChangedPath[] {
  const parts = output.split("\0");
  let at = 0;
  const next = () => parts[at++] ?? "";
  const modes: Pick<ChangedPath, "status" | "oldMode" | "newMode" | "path" | "oldPath">[] = [];
  while (parts[at]?.startsWith(":")) {
    const [oldMode = "", newMode = "", , , status = ""] = next().slice(1).split(" ");
    const first = next();
    const isMoved = status.startsWith("R") || status.startsWith("C");
    const [path, oldPath] = isMoved ? [next(), first] : [first, ""];
    modes.push({
      path,
      oldPath,
      status: status.charAt(0),
      oldMode: modeOf(oldMode),
      newMode: modeOf(newMode),
    });
  }
  return modes.map((mode) => {
    const [added = "", removed = "", path = ""] = next().split("\t");
    if (path === "") at += 2;
    const isBinary = added === "-";
    return { ...mode, added: Number(added) || 0, removed: Number(removed) || 0, isBinary };
  });
}

/** Git writes zeros where there is no file. */
function modeOf(mode: string): string {
  return /^0+$/.test(mode) ? "" : mode;
}

/**
 * The hunks of each section of a patch, in its order. No line of content begins like a section: each has a sign of its own
 * in front, and git quotes names that have a line break in them.
 */
export function readSections(patch: string): readonly string[] {
  return patch
    .split(/^(?=diff --git )/m)
    .filter((part) => part.startsWith("diff --git "))
    .map((part) => {
      const start = part.search(/^@@/m);
      return start < 0 ? "" : part.slice(start);
    });
}

/** Files with their diffs, of which what does not fit is left out. Missing sections are of a patch that was cut. */
export function describeFiles(
  paths: readonly ChangedPath[],
  sections: readonly string[],
  mostCharacters: number,
): readonly FileDiff[] {
  let at = 0;
  const bodies = paths.map(({ status }) => {
    // What becomes another type of file is removed and added.
    const from = at;
    at += status === "T" ? 2 : 1;
    return maskKeys(sections.slice(from, at).join(""));
  });
  const shown = fitDiffs(bodies, mostCharacters);
  return paths.map((one, place) => {
    const { path, oldPath, status, oldMode, newMode, added, removed, isBinary } = one;
    const diff = shown[place] ?? "";
    return create(FileDiffSchema, {
      ...{ path, oldPath, oldMode, newMode, diff },
      ...{ addedLines: added, removedLines: removed, binary: isBinary, test: isTest(one) },
      action: actions[status] ?? ArtifactAction.MODIFIED,
      linesLeftOut: Math.max(0, added + removed - changedLines(diff)),
      hiddenCharacters: countHidden(path) + hiddenIn(bodies[place] ?? ""),
    });
  });
}

function isTest({ path, oldPath }: ChangedPath): boolean {
  return isTestFile(path) || (oldPath !== "" && isTestFile(oldPath));
}

const actions: Readonly<Record<string, ArtifactAction>> = {
  A: ArtifactAction.CREATED,
  C: ArtifactAction.CREATED,
  D: ArtifactAction.DELETED,
};

function changedLines(diff: string): number {
  return diff.match(/^[+-]/gm)?.length ?? 0;
}

function hiddenIn(diff: string): number {
  let count = 0;
  for (const line of diff.split("\n")) if (line.startsWith("+")) count += countHidden(line.slice(1));
  return count;
}
