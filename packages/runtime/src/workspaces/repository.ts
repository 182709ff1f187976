import { access, realpath } from "node:fs/promises";
import { join } from "node:path";
import { type AllowedWorkspaces, findWorkspace } from "../evidence/allowed-workspaces.ts";
import { type GitRun, git, noGit } from "./git.ts";

/** A repository of a user, as the hub uses it: objects are read and added, branches `baton/…` are set, nothing else. */
export interface Repository {
  /** Where its HEAD is. */
  readonly gitDir: string;
  readonly objects: string;
  readonly format: "sha1" | "sha256";
  /** The file that says where its history was cut off, if it was. */
  readonly shallow: string | undefined;
}

/** The full name of a commit. */
export const commitName = /^([0-9a-f]{40}|[0-9a-f]{64})$/;

export interface Trouble {
  readonly ok: false;
  readonly reason: string;
  readonly fix: string;
}

export async function findRepository(
  path: string,
  allowed: AllowedWorkspaces,
  signal: AbortSignal,
): Promise<{ readonly ok: true; readonly repository: Repository } | Trouble> {
  const outside = trouble(
    `the repository "${path}" lies in none of the folders of evidence.workspaces, or is not there`,
    "add its folder to evidence.workspaces, or name a repository that lies in one of them",
  );
  const found = await findWorkspace(path, allowed);
  if (!found.ok) return allowed === "any" ? notUsable(path, found.reason) : outside;
  const { directory } = found;
  const asked = ["--git-dir", "--git-common-dir", "--git-path", "objects", "--git-path", "shallow"];
  const run = await git(
    { args: ["rev-parse", "--path-format=absolute", "--show-object-format", ...asked], directory },
    signal,
  );
  if (!run.ok) return noRepository(path, run.reason);
  const [format, gitDir, common, objects, shallow, ...rest] = run.output.split("\n");
  if (!gitDir || !common || !objects || !shallow || rest.length !== 1)
    return noRepository(path, "its place cannot be told");
  if (format !== "sha1" && format !== "sha256")
    return trouble(`the repository "${path}" is written in a way that is not known`, "use another one");
  // A folder inside of it may be allowed, and the repository itself lie outside.
  const real = await realpath(common);
  const whole = allowed === "any" ? found : await findWorkspace(real, allowed);
  if (!whole.ok) return outside;
  const isCut = await access(shallow).then(
    () => true,
    () => false,
  );
  return {
    ok: true,
    repository: {
      gitDir,
      objects: join(await realpath(objects)),
      format,
      shallow: isCut ? shallow : undefined,
    },
  };
}

function notUsable(path: string, reason: string): Trouble {
  if (!reason.includes("logins"))
    return trouble(
      `the repository "${path}" is no folder that the hub can reach`,
      "name a folder that is there",
    );
  return trouble(reason.replace("the workspace", "the repository"), "name the folder of a project");
}

function noRepository(path: string, reason: string): Trouble {
  if (reason === noGit) return trouble(reason, "install git there, and answer with retry");
  if (/dubious ownership/.test(reason)) {
    return trouble(
      `the repository "${path}" belongs to somebody else than the hub runs as`,
      "run the hub as its owner, or make a clone that belongs to the hub",
    );
  }
  if (/not a git repository/.test(reason))
    return trouble(
      `"${path}" is no git repository`,
      "name one, or make it one with git init and a first commit",
    );
  return trouble(`the repository "${path}" cannot be used: ${reason}`, "look at it with git status");
}

export function trouble(reason: string, fix: string): Trouble {
  return { ok: false, reason, fix };
}

/** The full name of a commit that the repository has. */
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

/** Sets a branch of ours. Their own, and what is checked out anywhere, stay as they are. Gives the name that was set. */
export async function setBranch(
  repository: Repository,
  branch: string,
  commit: string,
  signal: AbortSignal,
): Promise<string | Trouble> {
  const name = (await isCheckedOut(repository, branch, signal)) ? `${branch}-kept` : branch;
  const run = await git(updateRef(repository, name, commit), signal);
  if (run.ok) return name;
  return trouble(
    `the branch "${name}" cannot be written: ${run.reason}`,
    "let the hub write to the repository, and see that no branch is called baton",
  );
}

/** Removes a branch that still stands where it was set, and that nobody looks at. */
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
  if (!branch.startsWith("baton/")) throw new Error(`"${branch}" is no branch of the hub`);
  return { args: [`--git-dir=${gitDir}`, "update-ref", "--no-deref", `refs/heads/${branch}`, commit] };
}

async function isCheckedOut({ gitDir }: Repository, branch: string, signal: AbortSignal): Promise<boolean> {
  const args = [`--git-dir=${gitDir}`, "for-each-ref", "--format=%(worktreepath)", `refs/heads/${branch}`];
  return textOf(await git({ args }, signal)) !== "";
}
