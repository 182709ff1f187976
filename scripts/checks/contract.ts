/** The contract in proto/: its style, and that it still reads what was written with older versions of it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { captureIn, type Finished } from "../command.ts";
import { withScratch } from "../scratch.ts";
import { inTree, isInTree, readJson, root } from "../tree.ts";
import { currentBranch, mainCommit, whyWithoutGit } from "./git.ts";
import { findChangedFiles } from "./image.ts";
import { imagePath, newestImage } from "./released.ts";
import { failed, type Outcome, passed, passedWith, skipped } from "./step.ts";

/** buf's exit code for breaking differences; other failures have another. */
const foundBreaking = 100;

export async function lintContract(tree = root): Promise<Outcome> {
  const { code, output } = await captureIn(tree, "buf", ["lint"]);
  return code === 0 ? passed : failed(output);
}

export async function compareContractWithMain(tree = root): Promise<Outcome> {
  const withoutGit = await whyWithoutGit(tree);
  if (withoutGit !== undefined) return skipped(withoutGit);
  const main = await mainCommit(tree);
  if (main === undefined) return skipped("there is no branch main, here or at origin");
  return withScratch(async (scratch) => {
    // An archive instead of buf's own `.git#branch=main`: it also serves origin/main and linked worktrees.
    const archive = join(scratch, "main.tar");
    const packing = ["archive", "--format=tar", "--output", archive, main, "buf.yaml", "proto"];
    const packed = await captureIn(tree, "git", packing);
    if (packed.code !== 0) return failed(packed.output);
    // On main itself the edits of the working tree are compared, and nothing differs where there are none.
    return compareWith(tree, archive, (await currentBranch(tree)) === "main" ? "main's last commit" : "main");
  });
}

export async function compareContractWithReleased(tree = root): Promise<Outcome> {
  const image = newestImage(tree);
  if (image === undefined) {
    return failed("proto/released holds no image to compare with\nfix: git checkout HEAD -- proto/released");
  }
  return compareWith(tree, image, image);
}

/** One version, one contract: 1.0.0 means what was released as 1.0.0, to the last field. */
export async function compareContractWithItsVersion(tree = root): Promise<Outcome> {
  const { version } = readJson<{ version: string }>("packages/contract/package.json", tree);
  const image = imagePath(version);
  if (!isInTree(image, tree)) return passedWith(`${version} is not released yet`);
  return withScratch(async (scratch) => {
    const current = join(scratch, "current.binpb");
    const { code, output } = await buildImage(tree, current);
    if (code !== 0) return failed(`the contract does not build:\n${output}`);
    const changed = findChangedFiles(readFileSync(inTree(image, tree)), readFileSync(current));
    if (changed.length === 0) return passedWith(`the same as ${image}`);
    return failed(
      [
        `the contract has changed since ${version} was released`,
        ...changed.map((file) => `  differs  proto/${file}`),
        "fix: raise the version in packages/contract/package.json and packages/contract/src/schema-version.ts,",
        "     then npm run release-contract",
      ].join("\n"),
    );
  });
}

/** Writes the contract of the tree as one file; without comments and positions, which change nothing. */
export async function buildImage(tree: string, output: string): Promise<Finished> {
  return captureIn(tree, "buf", ["build", "--exclude-source-info", "--output", output]);
}

async function compareWith(tree: string, against: string, name: string): Promise<Outcome> {
  const { code, output } = await captureIn(tree, "buf", ["breaking", "--against", against]);
  if (code === 0) return passedWith(`compared with ${name}`);
  if (code !== foundBreaking) return failed(`buf cannot compare with ${name}:\n${output}`);
  return failed(
    `${output}\n\nAgents built with the contract of ${name} would no longer be understood.\n` +
      "fix: restore what was there, mark it deprecated, and add the new beside it",
  );
}
