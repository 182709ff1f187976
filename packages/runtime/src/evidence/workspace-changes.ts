import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ArtifactAction } from "@baton/contract";
import type { Verification } from "@baton/kernel";
import { runCommand } from "./run-command.ts";

const gitLimits = { timeoutMs: 60_000, outputBytes: 8_388_608 } as const;
/** Files that one call of git is asked about. */
const filesAtOnce = 200;

type Changes = Exclude<Verification["changes"], undefined>;

/**
 * What was changed in a folder since a commit: committed, changed and new. Undefined where that cannot be seen.
 *
 * The agent has had the folder in its hands, its `.git` too. So git looks with a directory and an index of the hub's own,
 * and takes only objects from there: no settings, filters, hooks, exclusions or marks of the folder have a say.
 */
export async function workspaceChanges(
  directory: string,
  baseCommit: string,
  { newFiles, endsAtMs }: { readonly newFiles: number; readonly endsAtMs: number },
  signal: AbortSignal,
): Promise<Changes | undefined> {
  const own = await mkdtemp(join(tmpdir(), "baton-git-"));
  try {
    const git = async (env: Readonly<Record<string, string>>, ...args: string[]) => {
      const timeoutMs = Math.max(1, Math.min(gitLimits.timeoutMs, endsAtMs - performance.now()));
      const spec = {
        file: "git",
        args: [...ownGitArguments, ...args],
        directory,
        env: { ...ownGitEnvironment, ...env },
      };
      const run = await runCommand(spec, { ...gitLimits, timeoutMs }, signal);
      return run.exitCode === 0 && !run.isCut ? run.output : undefined;
    };
    const base = await git(
      {},
      "rev-parse",
      "--verify",
      "--end-of-options",
      `${baseCommit || "HEAD"}^{commit}`,
    );
    const objects = await git({}, "rev-parse", "--path-format=absolute", "--git-path", "objects");
    const root = await git({}, "rev-parse", "--show-toplevel");
    if (base === undefined || objects === undefined || root === undefined) return undefined;
    const env = {
      GIT_DIR: join(own, "git"),
      GIT_WORK_TREE: root.trimEnd(),
      GIT_ALTERNATE_OBJECT_DIRECTORIES: objects.trimEnd(),
    };
    const look = (...args: string[]) => git(env, ...args);
    if ((await look("init", "--quiet")) === undefined) return undefined;
    if ((await look("read-tree", base.trimEnd())) === undefined) return undefined;
    return await compare(look, newFiles);
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}

type Git = (...args: string[]) => Promise<string | undefined>;

async function compare(git: Git, newFiles: number): Promise<Changes | undefined> {
  const plain = ["-z", "--no-renames", "--no-ext-diff", "--no-textconv", "--ignore-submodules=dirty"];
  const numbers = await git("diff", "--numstat", ...plain);
  const names = await git("diff", "--name-status", ...plain);
  const untracked = await git("ls-files", "--others", "--exclude-standard", "-z", "--full-name", ":/");
  if (numbers === undefined || names === undefined || untracked === undefined) return undefined;
  const fresh = untracked.split("\0").filter((path) => path !== "");
  if (fresh.length > newFiles) return undefined;
  let lines = 0;
  for (const entry of numbers.split("\0")) {
    const [added, removed] = entry.split("\t");
    lines += (Number(added) || 0) + (Number(removed) || 0);
  }
  for (let from = 0; from < fresh.length; from += filesAtOnce)
    lines += await countLines(git, fresh.slice(from, from + filesAtOnce));
  return {
    files: [...readNames(names), ...fresh.map((path) => ({ path, action: ArtifactAction.CREATED }))],
    lines,
  };
}

/** Nobody's settings: neither the system's nor those of the hub's user. */
export const ownGitEnvironment = {
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_OPTIONAL_LOCKS: "0",
};
export const ownGitArguments = [
  ...["-c", "core.quotepath=off", "-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false"],
  ...["-c", "core.excludesFile=/dev/null", "-c", "core.attributesFile=/dev/null"],
];

async function countLines(git: Git, paths: readonly string[]): Promise<number> {
  // After each name its count, and after that a line break. Files without a line are not told of.
  const counted = await git("grep", "--no-index", "--count", "--null", "", "--", ...paths.map(literal));
  const counts = counted?.split("\0").slice(1) ?? [];
  return counts.reduce((lines, text) => lines + (Number.parseInt(text, 10) || 0), 0);
}

/** A name is a name, whatever it would mean as a pattern. */
function literal(path: string): string {
  return `:(top,literal)${path}`;
}

const actions: Readonly<Record<string, ArtifactAction>> = {
  A: ArtifactAction.CREATED,
  D: ArtifactAction.DELETED,
};

/** Status and path in turn. */
function readNames(text: string): { path: string; action: ArtifactAction }[] {
  const parts = text.split("\0");
  const files: { path: string; action: ArtifactAction }[] = [];
  for (let place = 0; place + 1 < parts.length; place += 2) {
    const path = parts[place + 1] ?? "";
    files.push({ path, action: actions[parts[place] ?? ""] ?? ArtifactAction.MODIFIED });
  }
  return files;
}
