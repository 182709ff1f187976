import { ArtifactAction, type FileDiff, FileDiffSchema } from "@baton/contract";
import { countHidden, fitDiffs, isTestFile } from "@baton/kernel/deciding";
import { create } from "@bufbuild/protobuf";
import { maskKeys } from "../git/mask-keys.ts";

/** One file of `git diff-tree --raw --numstat -z`. */
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

/** The raw entries come first, then the numstat entries in the same order. A renamed file has two paths in each. */
export function readPaths(output: string): readonly ChangedPath[] {
  const parts = output.split("\0");
  let offset = 0;
  const next = () => parts[offset++] ?? "";
  const modes: Pick<ChangedPath, "status" | "oldMode" | "newMode" | "path" | "oldPath">[] = [];
  while (parts[offset]?.startsWith(":")) {
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
    if (path === "") offset += 2;
    const isBinary = added === "-";
    return { ...mode, added: Number(added) || 0, removed: Number(removed) || 0, isBinary };
  });
}

/** Git writes zeros for an absent file. */
function modeOf(mode: string): string {
  return /^0+$/.test(mode) ? "" : mode;
}

/**
 * The hunks of each file in a patch. Content lines cannot be mistaken for a header: each has a one-character prefix,
 * and git quotes names with line breaks.
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

/** Files with their diffs, truncated to `maxCharacters` in total. A truncated patch has fewer sections than paths. */
export function describeFiles(
  paths: readonly ChangedPath[],
  sections: readonly string[],
  maxCharacters: number,
): readonly FileDiff[] {
  let offset = 0;
  const bodies = paths.map(({ status }) => {
    // A type change is one removal and one addition.
    const from = offset;
    offset += status === "T" ? 2 : 1;
    return maskKeys(sections.slice(from, offset).join(""));
  });
  const fitted = fitDiffs(bodies, maxCharacters);
  return paths.map((change, index) => {
    const { path, oldPath, status, oldMode, newMode, added, removed, isBinary } = change;
    const diff = fitted[index] ?? "";
    return create(FileDiffSchema, {
      ...{ path, oldPath, oldMode, newMode, diff },
      ...{ addedLines: added, removedLines: removed, binary: isBinary, test: isTest(change) },
      action: actions[status] ?? ArtifactAction.MODIFIED,
      linesLeftOut: Math.max(0, added + removed - changedLines(diff)),
      hiddenCharacters: countHidden(path) + hiddenIn(bodies[index] ?? ""),
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
