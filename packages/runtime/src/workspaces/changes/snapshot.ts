import { lstat } from "node:fs/promises";
import { ArtifactAction } from "@baton/contract";
import type { VerifiedChanges } from "@baton/kernel";
import type { PrivateGit } from "../git/private-git.ts";
import type { SnapshotLimits } from "../settings.ts";

export type Snapshot =
  | {
      readonly ok: true;
      readonly tree: string;
      /** New nested repositories. A tree cannot contain them, so they are listed separately. */
      readonly nestedRepositories: readonly string[];
    }
  | { readonly ok: false; readonly reason: string };

/**
 * The content of a folder as a tree: tracked files, changed or not, and new files that its `.gitignore` does not
 * exclude. Nested repositories are not read.
 */
export async function takeSnapshot(
  privateGit: PrivateGit,
  folder: string,
  since: string,
  limits: SnapshotLimits,
  objects?: string,
): Promise<Snapshot> {
  const bytes = { isBytes: true, objects };
  const read = await privateGit.run(["read-tree", since], { objects });
  if (!read.ok) return { ok: false, reason: read.reason };
  const options = ["-z", "--name-only", "--no-renames", "--no-ext-diff", "--no-textconv"];
  const changed = await privateGit.runIn(folder, ["diff", ...options, "--ignore-submodules=dirty"], bytes);
  if (!changed.ok) return { ok: false, reason: changed.reason };
  const untracked = await privateGit.runIn(
    folder,
    ["ls-files", "--others", "--exclude-standard", "-z"],
    bytes,
  );
  if (!untracked.ok) return { ok: false, reason: untracked.reason };
  const isNested = (path: string) => path.endsWith("/");
  const nestedRepositories = namesIn(untracked.output).filter(isNested);
  const paths = [...namesIn(changed.output), ...namesIn(untracked.output).filter((path) => !isNested(path))];
  const reason = await limitExceeded(folder, paths, limits);
  if (reason !== undefined) return { ok: false, reason };
  const input = paths.map((path) => `${path}\0`).join("");
  const staged = await privateGit.runIn(folder, ["update-index", "-z", "--add", "--remove", "--stdin"], {
    ...bytes,
    input,
  });
  if (!staged.ok) return { ok: false, reason: staged.reason };
  const written = await privateGit.run(["write-tree"], { objects });
  if (!written.ok) return { ok: false, reason: written.reason };
  const names = nestedRepositories.map((path) => Buffer.from(path, "latin1").toString("utf8"));
  return { ok: true, tree: written.output.trimEnd(), nestedRepositories: names };
}

async function limitExceeded(
  folder: string,
  paths: readonly string[],
  { files, fileBytes, totalBytes }: SnapshotLimits,
): Promise<string | undefined> {
  if (paths.length > files) return `more than ${files} files were changed`;
  let total = 0;
  for (const path of paths) {
    const bytes = await lstat(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(path, "latin1")])).then(
      (found) => (found.isFile() ? found.size : 0),
      () => 0,
    );
    if (bytes > fileBytes) return `"${Buffer.from(path, "latin1")}" has more than ${fileBytes} bytes`;
    total += bytes;
  }
  return total > totalBytes ? `the changes have more than ${totalBytes} bytes` : undefined;
}

/** Changed files and lines since a commit. Attributes are ignored, because they could exclude files from the count. */
export async function changesIn(
  privateGit: PrivateGit,
  from: string,
  { tree, nestedRepositories }: Extract<Snapshot, { ok: true }>,
  objects?: string,
): Promise<VerifiedChanges | undefined> {
  const options = [
    "diff-tree",
    "-r",
    "-z",
    "--no-renames",
    "--no-ext-diff",
    "--no-textconv",
    "--no-commit-id",
  ];
  const numbers = await privateGit.run([...options, "--numstat", from, tree], { objects });
  const names = await privateGit.run([...options, "--raw", from, tree], { objects });
  if (!numbers.ok || !names.ok) return undefined;
  let lines = 0;
  const entries = readNames(names.output);
  const uncounted = [
    ...nestedRepositories,
    ...entries.filter(({ isRepository }) => isRepository).map(({ path }) => path),
  ];
  for (const entry of namesIn(numbers.output)) {
    const [added, removed, path = ""] = entry.split("\t");
    if (added === "-") uncounted.push(path);
    lines += (Number(added) || 0) + (Number(removed) || 0);
  }
  const nested = nestedRepositories.map((path) => ({ path, action: ArtifactAction.CREATED }));
  const files = [...entries.map(({ path, action }) => ({ path, action })), ...nested];
  return { files, lines, ...(uncounted.length > 0 && { uncounted }) };
}

function namesIn(output: string): string[] {
  return output.split("\0").filter((path) => path !== "");
}

const actions: Readonly<Record<string, ArtifactAction>> = {
  A: ArtifactAction.CREATED,
  D: ArtifactAction.DELETED,
};

interface Entry {
  readonly path: string;
  readonly action: ArtifactAction;
  /** A gitlink: the files of the other repository are not in the tree. */
  readonly isRepository: boolean;
}

/** Parses `--raw` output: modes, objects and status, then the path, in turn. */
function readNames(text: string): Entry[] {
  const parts = text.split("\0");
  const entries: Entry[] = [];
  for (let index = 0; index + 1 < parts.length; index += 2) {
    const [, mode, , , status = ""] = (parts[index] ?? "").split(" ");
    const action = actions[status] ?? ArtifactAction.MODIFIED;
    entries.push({ path: parts[index + 1] ?? "", action, isRepository: mode === "160000" });
  }
  return entries;
}
