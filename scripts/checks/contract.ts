/** The contract in proto/: its style, and that it still reads what was written with older versions of it. */
import { join } from "node:path";
import { capture } from "../command.ts";
import { withScratch } from "../scratch.ts";
import { hasContract } from "../tree.ts";
import { currentBranch, git, mainCommit } from "./git.ts";
import { newestImage } from "./released.ts";
import { failed, type Outcome, passed, passedWith, skipped } from "./step.ts";

/** buf's exit code for differences that break, apart from the one for not being able to tell. */
const foundBreaking = 100;

const noContract = skipped("there is no contract yet (buf.yaml and proto/)");

export async function lintContract(): Promise<Outcome> {
  if (!hasContract()) return noContract;
  const { code, output } = await capture("buf", ["lint"]);
  return code === 0 ? passed : failed(output);
}

export async function compareContractWithMain(): Promise<Outcome> {
  if (!hasContract()) return noContract;
  if ((await git("rev-parse", "--git-dir")) === undefined) return skipped("this is not a git repository");
  if ((await currentBranch()) === "main") return passedWith("this is main");
  const main = await mainCommit();
  if (main === undefined) return skipped("there is no branch main, here or at origin");
  if (!(await git("ls-tree", "--name-only", main, "--", "buf.yaml", "proto/"))?.includes("buf.yaml")) {
    return skipped("main has no contract yet");
  }
  return withScratch(async (scratch) => {
    // An archive instead of buf's own `.git#branch=main`: it also serves origin/main and linked worktrees.
    const archive = join(scratch, "main.tar");
    const packed = await capture("git", [
      "archive",
      "--format=tar",
      "--output",
      archive,
      main,
      "buf.yaml",
      "proto",
    ]);
    if (packed.code !== 0) return failed(packed.output);
    return compareWith(archive, "main");
  });
}

export async function compareContractWithReleased(): Promise<Outcome> {
  if (!hasContract()) return noContract;
  const image = newestImage();
  if (image === undefined) return passedWith("no version has been released yet");
  return compareWith(image, image);
}

async function compareWith(against: string, name: string): Promise<Outcome> {
  const { code, output } = await capture("buf", ["breaking", "--against", against]);
  if (code === 0) return passedWith(`compared with ${name}`);
  if (code !== foundBreaking) return failed(`buf cannot compare with ${name}:\n${output}`);
  return failed(
    `${output}\n\nAgents built with the contract of ${name} would no longer be understood.\n` +
      "fix: restore what was there, mark it deprecated, and add the new beside it",
  );
}
