import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type GitCall, type GitLimits, type GitRun, git } from "./git.ts";
import type { Repository } from "./repository.ts";

/**
 * A private git directory and index for the objects of a repository, so that settings, hooks, filters, excludes and
 * index flags of other folders have no effect.
 */
export interface PrivateGit {
  /** Runs without a work tree, so no folder's attributes are read. */
  run(args: readonly string[], options?: PrivateGitCall): Promise<GitRun>;
  /** Runs with `folder` as the work tree. */
  runIn(folder: string, args: readonly string[], options?: PrivateGitCall): Promise<GitRun>;
  /** Path of a folder that does not exist yet, on the same disk; removed by `close`. */
  readonly newFolder: string;
  close(): Promise<void>;
}

export interface PrivateGitCall {
  readonly input?: string;
  readonly isBytes?: boolean;
  /** Additional object folder. */
  readonly objects?: string | undefined;
  /** Commit date in Unix seconds; default: now. */
  readonly dateSeconds?: number;
  /** Arguments of a second call that reads this one's output. */
  readonly into?: readonly string[];
  readonly limits?: GitLimits;
}

/** Author of the hub's commits. */
const author = {
  GIT_AUTHOR_NAME: "Baton",
  GIT_AUTHOR_EMAIL: "baton@localhost",
  GIT_COMMITTER_NAME: "Baton",
  GIT_COMMITTER_EMAIL: "baton@localhost",
};

/** Overrides all attributes: a NUL byte must not exclude a file from the line count. */
const allText = "* diff\n";
/** Git detects binary files by content; attributes of folders have no effect. */
export const byContent = "";

export async function openPrivateGit(
  folder: string,
  { objects, format, shallow }: Pick<Repository, "objects" | "format" | "shallow">,
  signal: AbortSignal,
  attributes = allText,
): Promise<PrivateGit> {
  await mkdir(folder, { recursive: true });
  const own = await mkdtemp(join(folder, "git-"));
  const gitDir = join(own, "git");
  const initialised = await git(
    { args: ["init", "--quiet", "--bare", "--template=", `--object-format=${format}`, gitDir] },
    signal,
  );
  if (!initialised.ok) throw new Error(initialised.reason);
  await mkdir(join(gitDir, "info"), { recursive: true });
  await writeFile(join(gitDir, "info", "attributes"), attributes);
  const env = { GIT_DIR: gitDir, GIT_OBJECT_DIRECTORY: objects, GIT_INDEX_FILE: join(own, "index") };
  const shallowFile = shallow === undefined ? [] : ["--shallow-file", shallow];
  const call = (
    args: readonly string[],
    { input, isBytes, objects: alternates, dateSeconds, into, limits }: PrivateGitCall,
    workTree?: string,
  ) => {
    const gitCall: GitCall = {
      args: [...shallowFile, ...args],
      directory: workTree ?? gitDir,
      env: {
        ...env,
        ...(alternates !== undefined && { GIT_ALTERNATE_OBJECT_DIRECTORIES: alternates }),
        ...author,
        ...(dateSeconds !== undefined && {
          GIT_AUTHOR_DATE: `@${dateSeconds} +0000`,
          GIT_COMMITTER_DATE: `@${dateSeconds} +0000`,
        }),
        ...(workTree !== undefined && { GIT_WORK_TREE: workTree }),
      },
      ...(input !== undefined && { input }),
      ...(isBytes && { isBytes }),
      ...(into && { into: { args: [...shallowFile, ...into], directory: gitDir, env } }),
    };
    return git(gitCall, signal, limits);
  };
  return {
    run: (args, options = {}) => call(args, options),
    runIn: (workTree, args, options = {}) => call(args, options, workTree),
    newFolder: join(own, "new"),
    close: () => rm(own, { recursive: true, force: true, maxRetries: 3 }),
  };
}
