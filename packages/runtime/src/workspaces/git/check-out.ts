import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { git } from "./git.ts";
import { type GitFailure, gitFailure, type Repository } from "./repository.ts";

/** Checks a commit out into a new folder, whose own git directory borrows the repository's objects. */
export async function checkOut(
  { objects, format, shallow }: Repository,
  folder: string,
  branch: string,
  commit: string,
  signal: AbortSignal,
): Promise<GitFailure | undefined> {
  const failed = (reason: string) =>
    gitFailure(
      `the files of ${commit} could not be put into ${folder}: ${reason}`,
      "make room and let the hub write there, and answer with retry",
    );
  const init = ["init", "--quiet", "--template=", `--object-format=${format}`, `--initial-branch=${branch}`];
  const initialised = await git({ args: [...init, folder] }, signal);
  if (!initialised.ok) return failed(initialised.reason);
  const gitDir = join(folder, ".git");
  await mkdir(join(gitDir, "objects/info"), { recursive: true });
  await writeFile(join(gitDir, "objects/info/alternates"), `${objects}\n`);
  if (shallow !== undefined) await copyFile(shallow, join(gitDir, "shallow"));
  const steps = [
    ["update-ref", `refs/heads/${branch}`, commit],
    ["reset", "--quiet", "--hard"],
  ];
  for (const args of steps) {
    const run = await git({ args, directory: folder }, signal);
    if (!run.ok) return failed(run.reason);
  }
  return undefined;
}
