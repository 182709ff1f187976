import { access, realpath } from "node:fs/promises";
import { join, resolve } from "node:path";
import { type AllowedWorkspaces, findWorkspace } from "../../processes/allowed-workspaces.ts";
import { type GitRun, git, noGit } from "./git.ts";

/** A user's repository. The hub reads and adds objects and sets branches `baton/…`, nothing else. */
export interface Repository {
  /** The git directory that contains HEAD. */
  readonly gitDir: string;
  readonly objects: string;
  readonly format: "sha1" | "sha256";
  /** Path of git's `shallow` file, for a shallow clone. */
  readonly shallow: string | undefined;
  /** Root of the working tree when the path names a folder inside it. */
  readonly root: string | undefined;
}

/** A full commit id. */
export const commitName = /^([0-9a-f]{40}|[0-9a-f]{64})$/;

export interface GitFailure {
  readonly ok: false;
  readonly reason: string;
  readonly fix: string;
}

export async function findRepository(
  path: string,
  allowed: AllowedWorkspaces,
  signal: AbortSignal,
): Promise<{ readonly ok: true; readonly repository: Repository } | GitFailure> {
  const notAllowed = gitFailure(
    `the repository "${path}" does not exist or is outside the folders of evidence.workspaces`,
    "add its folder to evidence.workspaces, or use a repository in one of them",
  );
  const found = await findWorkspace(path, allowed);
  if (!found.ok) return allowed === "any" ? notUsable(path, found.reason) : notAllowed;
  const { directory } = found;
  const queries = [
    "--git-dir",
    "--git-common-dir",
    "--git-path",
    "objects",
    "--git-path",
    "shallow",
    "--show-cdup",
  ];
  const run = await git(
    { args: ["rev-parse", "--path-format=absolute", "--show-object-format", ...queries], directory },
    signal,
  );
  if (!run.ok) return noRepository(path, run.reason);
  const [format, gitDir, common, objects, shallow, up = "", ...rest] = run.output.split("\n");
  if (!gitDir || !common || !objects || !shallow || rest.length > 1)
    return noRepository(path, "git does not report its folders");
  if (format !== "sha1" && format !== "sha256")
    return gitFailure(`the repository "${path}" has an unknown object format`, "use another one");
  // An allowed folder may belong to a repository that lies outside.
  const real = await realpath(common);
  const commonFolder = allowed === "any" ? found : await findWorkspace(real, allowed);
  if (!commonFolder.ok) return notAllowed;
  const isShallow = await access(shallow).then(
    () => true,
    () => false,
  );
  return {
    ok: true,
    repository: {
      gitDir,
      objects: join(await realpath(objects)),
      format,
      shallow: isShallow ? shallow : undefined,
      root: up === "" ? undefined : resolve(directory, up),
    },
  };
}

function notUsable(path: string, reason: string): GitFailure {
  if (!reason.includes("logins"))
    return gitFailure(`the hub cannot read the folder "${path}" of the repository`, "use an existing folder");
  return gitFailure(reason.replace("the workspace", "the repository"), "name the folder of a project");
}

function noRepository(path: string, reason: string): GitFailure {
  if (reason === noGit) return gitFailure(reason, "install git there, and answer with retry");
  if (/dubious ownership/.test(reason)) {
    return gitFailure(
      `the repository "${path}" belongs to another user than the hub's`,
      "run the hub as its owner, or clone it as the hub's user",
    );
  }
  if (/not a git repository/.test(reason))
    return gitFailure(
      `"${path}" is not a git repository`,
      "use a git repository, or create one with git init and a first commit",
    );
  return gitFailure(`the repository "${path}" cannot be used: ${reason}`, "check it with git status");
}

export function gitFailure(reason: string, fix: string): GitFailure {
  return { ok: false, reason, fix };
}

/** The full id of a commit in the repository; undefined when it has no such commit. */
export async function resolveCommit(
  { gitDir }: Repository,
  name: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const args = [
    `--git-dir=${gitDir}`,
    "rev-parse",
    "--verify",
    "--quiet",
    "--end-of-options",
    `${name}^{commit}`,
  ];
  return textOf(await git({ args }, signal));
}

export function textOf(run: GitRun): string | undefined {
  return run.ok ? run.output.trimEnd() : undefined;
}

/**
 * Sets a branch of the hub and returns its name. A branch that a worktree uses stays; the commit then goes to `BRANCH-
 * kept`.
 */
export async function setBranch(
  repository: Repository,
  branch: string,
  commit: string,
  signal: AbortSignal,
): Promise<string | GitFailure> {
  const name = (await isCheckedOut(repository, branch, signal)) ? `${branch}-kept` : branch;
  const run = await git(updateRef(repository, name, commit), signal);
  if (run.ok) return name;
  return gitFailure(
    `the branch "${name}" cannot be written: ${run.reason}`,
    "let the hub write to the repository, and rename a branch called baton",
  );
}

/** Deletes a branch that is still at `commit` and not checked out. */
export async function dropBranch(
  repository: Repository,
  branch: string,
  commit: string,
  signal: AbortSignal,
): Promise<void> {
  if (await isCheckedOut(repository, branch, signal)) return;
  const { args } = updateRef(repository, branch, commit);
  await git({ args: args.toSpliced(2, 1, "-d") }, signal);
}

function updateRef({ gitDir }: Repository, branch: string, commit: string) {
  if (!branch.startsWith("baton/")) throw new Error(`"${branch}" is not a branch of the hub`);
  return { args: [`--git-dir=${gitDir}`, "update-ref", "--no-deref", `refs/heads/${branch}`, commit] };
}

async function isCheckedOut({ gitDir }: Repository, branch: string, signal: AbortSignal): Promise<boolean> {
  const args = [`--git-dir=${gitDir}`, "for-each-ref", "--format=%(worktreepath)", `refs/heads/${branch}`];
  return textOf(await git({ args }, signal)) !== "";
}
