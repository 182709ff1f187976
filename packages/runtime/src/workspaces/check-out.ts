import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { git } from "./git.ts";
import { type Repository, type Trouble, trouble } from "./repository.ts";

/** Puts the files of a commit into a folder that is not there yet, with a git directory of its own that borrows objects. */
export async function checkOut(
  { objects, format, shallow }: Repository,
  folder: string,
  branch: string,
  commit: string,
  signal: AbortSignal,
): Promise<Trouble | undefined> {
  const failed = (reason: string) =>
    trouble(
      `the files of ${commit} could not be put into ${folder}: ${reason}`,
      "make room and let the hub write there, and answer with retry",
    );
  const init = ["init", "--quiet", "--template=", `--object-format=${format}`, `--initial-branch=${branch}`];
  const made = await git({ args: [...init, folder] }, signal);
  if (!made.ok) return failed(made.reason);
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
