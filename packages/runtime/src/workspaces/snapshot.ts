import { lstat } from "node:fs/promises";
import { ArtifactAction } from "@baton/contract";
import type { VerifiedChanges } from "@baton/kernel";
import type { Desk } from "./desk.ts";

export interface SnapshotLimits {
  /** Files that differ from the commit they are compared with; of more, nothing is seen. */
  readonly files: number;
  readonly fileBytes: number;
  readonly totalBytes: number;
}

export const defaultSnapshotLimits: SnapshotLimits = {
  files: 10_000,
  fileBytes: 268_435_456,
  totalBytes: 1_073_741_824,
};

export type Snapshot =
  | {
      readonly ok: true;
      readonly tree: string;
      /** Repositories inside the folder that are new: a tree cannot hold them, so they are told beside it. */
      readonly inner: readonly string[];
    }
  | { readonly ok: false; readonly reason: string };

/**
 * What lies in a folder, as a tree: what git knows of it since a commit, changed or not, and what is new and not excluded
 * by the folder's own `.gitignore`. Repositories inside it are not looked into.
 */
export async function takeSnapshot(
  desk: Desk,
  folder: string,
  since: string,
  limits: SnapshotLimits,
  objects?: string,
): Promise<Snapshot> {
  const bytes = { isBytes: true, objects };
  const read = await desk.git(["read-tree", since], { objects });
  if (!read.ok) return { ok: false, reason: read.reason };
  const plain = ["-z", "--name-only", "--no-renames", "--no-ext-diff", "--no-textconv"];
  const changed = await desk.gitIn(folder, ["diff", ...plain, "--ignore-submodules=dirty"], bytes);
  if (!changed.ok) return { ok: false, reason: changed.reason };
  const fresh = await desk.gitIn(folder, ["ls-files", "--others", "--exclude-standard", "-z"], bytes);
  if (!fresh.ok) return { ok: false, reason: fresh.reason };
  const isInner = (path: string) => path.endsWith("/");
  const inner = namesIn(fresh.output).filter(isInner);
  const paths = [...namesIn(changed.output), ...namesIn(fresh.output).filter((path) => !isInner(path))];
  const reason = await whyTooMuch(folder, paths, limits);
  if (reason !== undefined) return { ok: false, reason };
  const input = paths.map((path) => `${path}\0`).join("");
  const staged = await desk.gitIn(folder, ["update-index", "-z", "--add", "--remove", "--stdin"], {
    ...bytes,
    input,
  });
  if (!staged.ok) return { ok: false, reason: staged.reason };
  const written = await desk.git(["write-tree"], { objects });
  if (!written.ok) return { ok: false, reason: written.reason };
  const names = inner.map((path) => Buffer.from(path, "latin1").toString("utf8"));
  return { ok: true, tree: written.output.trimEnd(), inner: names };
}

async function whyTooMuch(
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
  return total > totalBytes ? `what was changed has more than ${totalBytes} bytes` : undefined;
}

/** What differs between a commit and what was left, in files and lines. Attributes that could hide a file from being counted are not read. */
export async function changesIn(
  desk: Desk,
  from: string,
  { tree, inner }: Extract<Snapshot, { ok: true }>,
  objects?: string,
): Promise<VerifiedChanges | undefined> {
  const plain = ["diff-tree", "-r", "-z", "--no-renames", "--no-ext-diff", "--no-textconv", "--no-commit-id"];
  const numbers = await desk.git([...plain, "--numstat", from, tree], { objects });
  const names = await desk.git([...plain, "--raw", from, tree], { objects });
  if (!numbers.ok || !names.ok) return undefined;
  let lines = 0;
  const entries = readNames(names.output);
  const uncounted = [...inner, ...entries.filter(({ isRepository }) => isRepository).map(({ path }) => path)];
  for (const entry of namesIn(numbers.output)) {
    const [added, removed, path = ""] = entry.split("\t");
    if (added === "-") uncounted.push(path);
    lines += (Number(added) || 0) + (Number(removed) || 0);
  }
  const hidden = inner.map((path) => ({ path, action: ArtifactAction.CREATED }));
  const files = [...entries.map(({ path, action }) => ({ path, action })), ...hidden];
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
  /** What is there now is a commit of another repository: its files are not in the tree. */
  readonly isRepository: boolean;
}

/** What git calls raw: modes, objects and status, then the path, in turn. */
function readNames(text: string): Entry[] {
  const parts = text.split("\0");
  const entries: Entry[] = [];
  for (let place = 0; place + 1 < parts.length; place += 2) {
    const [, mode, , , status = ""] = (parts[place] ?? "").split(" ");
    const action = actions[status] ?? ArtifactAction.MODIFIED;
    entries.push({ path: parts[place + 1] ?? "", action, isRepository: mode === "160000" });
  }
  return entries;
}
