import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type GitCall, type GitLimits, type GitRun, git } from "./git.ts";
import type { Repository } from "./repository.ts";

/**
 * Where the hub itself works with the objects of a repository: a git directory and an index of its own, so that no
 * setting, hook, filter, exclusion or mark of any folder has a say.
 */
export interface Desk {
  /** Without a work tree no attributes of any folder are read. */
  git(args: readonly string[], more?: DeskCall): Promise<GitRun>;
  /** The same, in a folder whose files are looked at. */
  gitIn(folder: string, args: readonly string[], more?: DeskCall): Promise<GitRun>;
  /** A folder that is not there yet, for what is made at this desk. */
  readonly room: string;
  close(): Promise<void>;
}

export interface DeskCall {
  readonly input?: string;
  readonly isBytes?: boolean;
  /** Objects that are read besides those of the repository. */
  readonly objects?: string | undefined;
  /** Seconds since 1970 that a commit is dated with, instead of now. */
  readonly at?: number;
  /** A second call at the same desk that reads what this one prints. */
  readonly into?: readonly string[];
  readonly limits?: GitLimits;
}

/** What the hub commits says so. */
const author = {
  GIT_AUTHOR_NAME: "Baton",
  GIT_AUTHOR_EMAIL: "baton@localhost",
  GIT_COMMITTER_NAME: "Baton",
  GIT_COMMITTER_EMAIL: "baton@localhost",
};

/**
 * Every file counts as text, above what any folder says: a byte that no text has must not make a file one without lines.
 */
const everythingIsText = "* diff\n";
/** Git tells text from binary by looking at the content, and no folder has a say. */
export const byContent = "";

export async function openDesk(
  folder: string,
  { objects, format, shallow }: Pick<Repository, "objects" | "format" | "shallow">,
  signal: AbortSignal,
  attributes = everythingIsText,
): Promise<Desk> {
  await mkdir(folder, { recursive: true });
  const own = await mkdtemp(join(folder, "desk-"));
  const gitDir = join(own, "git");
  const made = await git(
    { args: ["init", "--quiet", "--bare", "--template=", `--object-format=${format}`, gitDir] },
    signal,
  );
  if (!made.ok) throw new Error(made.reason);
  await mkdir(join(gitDir, "info"), { recursive: true });
  await writeFile(join(gitDir, "info", "attributes"), attributes);
  const env = { GIT_DIR: gitDir, GIT_OBJECT_DIRECTORY: objects, GIT_INDEX_FILE: join(own, "index") };
  const cut = shallow === undefined ? [] : ["--shallow-file", shallow];
  const call = (
    args: readonly string[],
    { input, isBytes, objects: more, at, into, limits }: DeskCall,
    workTree?: string,
  ) => {
    const given: GitCall = {
      args: [...cut, ...args],
      directory: workTree ?? gitDir,
      env: {
        ...env,
        ...(more !== undefined && { GIT_ALTERNATE_OBJECT_DIRECTORIES: more }),
        ...author,
        ...(at !== undefined && { GIT_AUTHOR_DATE: `@${at} +0000`, GIT_COMMITTER_DATE: `@${at} +0000` }),
        ...(workTree !== undefined && { GIT_WORK_TREE: workTree }),
      },
      ...(input !== undefined && { input }),
      ...(isBytes && { isBytes }),
      ...(into && { into: { args: [...cut, ...into], directory: gitDir, env } }),
    };
    return git(given, signal, limits);
  };
  return {
    git: (args, more = {}) => call(args, more),
    gitIn: (workTree, args, more = {}) => call(args, more, workTree),
    room: join(own, "room"),
    close: () => rm(own, { recursive: true, force: true, maxRetries: 3 }),
  };
}
