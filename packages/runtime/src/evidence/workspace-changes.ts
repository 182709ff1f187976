import { ArtifactAction } from "@baton/contract";
import type { Verification } from "@baton/kernel";
import { runCommand } from "./run-command.ts";

const gitLimits = { timeoutMs: 60_000, outputBytes: 8_388_608 } as const;
/** Files that one call of git is asked about. */
const filesAtOnce = 200;

type Changes = Exclude<Verification["changes"], undefined>;

/** What was changed in a folder since a commit, as git sees it: committed, changed and new. Undefined where git sees nothing. */
export async function workspaceChanges(
  directory: string,
  baseCommit: string,
  { newFiles }: { readonly newFiles: number },
  signal: AbortSignal,
): Promise<Changes | undefined> {
  const base = baseCommit || "HEAD";
  if (base.startsWith("-")) return undefined;
  const git = async (...args: string[]) => {
    const run = await runCommand({ file: "git", args: [...quiet, ...args], directory }, gitLimits, signal);
    return run.exitCode === 0 ? run.output : undefined;
  };
  const numbers = await git("diff", "--numstat", "-z", "--no-renames", base, "--");
  const names = await git("diff", "--name-status", "-z", "--no-renames", base, "--");
  const untracked = await git("ls-files", "--others", "--exclude-standard", "-z");
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

/** Neither the user's settings nor hooks of the folder have a say in what is seen. */
const quiet = ["-c", "core.quotepath=off", "-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false"];

async function countLines(
  git: (...args: string[]) => Promise<string | undefined>,
  paths: readonly string[],
): Promise<number> {
  // After each name its count, and after that a line break. Files without a line are not told of.
  const counted = await git("grep", "--no-index", "--count", "--null", "", "--", ...paths.map(literal));
  const counts = counted?.split("\0").slice(1) ?? [];
  return counts.reduce((lines, text) => lines + (Number.parseInt(text, 10) || 0), 0);
}

/** A name is a name, whatever it would mean as a pattern. */
function literal(path: string): string {
  return `:(literal)${path}`;
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
