import { existsSync, statSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import type { SubmitTaskRequest } from "@baton/contract/forms";
import { CliError } from "../errors/cli-error.ts";
import { isLoopback } from "../hub/address.ts";

/** Checks folders for a hub on this machine; those of another machine cannot be checked. */
export function checkWorkspace(request: SubmitTaskRequest, hub: URL, isOption: boolean): void {
  if (!isLoopback(hub)) return;
  checkFolder(request, isOption);
  checkRepository(request);
}

function checkFolder({ workspace }: SubmitTaskRequest, isOption: boolean): void {
  const path = workspace?.path ?? "";
  if (!isAbsolute(path)) return;
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory()) return;
  const problem = found === undefined ? "is not there" : "is no folder";
  throw new CliError("BATON-CLI-001", `the workspace ${path} ${problem}`, {
    at: isOption ? "--workspace" : "workspace.path",
    fix: "name a folder that is there: agents work in it, and the hub looks at what they changed",
  });
}

/** A shared folder is named as the repository too, and may be any folder. */
function checkRepository({ workspace }: SubmitTaskRequest): void {
  const { repository = "", path = "" } = workspace ?? {};
  if (path !== "" || !isAbsolute(repository)) return;
  const root = rootOf(repository);
  if (root === repository) return;
  if (root !== undefined)
    throw new CliError("BATON-CLI-001", `${repository} is a folder in the repository ${root}`, {
      at: "--repository",
      fix: `name the repository itself (--repository ${root}), or let all work in the folder as it is: --workspace`,
    });
  const isThere = statSync(repository, { throwIfNoEntry: false })?.isDirectory() ?? false;
  throw new CliError("BATON-CLI-001", `${repository} is ${isThere ? "no git repository" : "not there"}`, {
    at: "--repository",
    fix: isThere
      ? "make it one (git init, and a first commit), or let all work in the folder as it is: --workspace"
      : "name a git repository on this machine",
  });
}

/** The folder itself or the nearest one above it that is a repository, with or without a working tree. */
function rootOf(folder: string): string | undefined {
  if (!existsSync(folder)) return undefined;
  const isBare = ["HEAD", "objects", "refs"].every((name) => existsSync(join(folder, name)));
  if (isBare || existsSync(join(folder, ".git"))) return folder;
  const above = dirname(folder);
  return above === folder ? undefined : rootOf(above);
}
