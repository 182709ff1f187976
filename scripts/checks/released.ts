/** The images of released contracts: proto/released/<version>.binpb, written once and never again. */
import { basename } from "node:path";
import { captureIn } from "../command.ts";
import { findFilesIn, root } from "../tree.ts";
import { git, whyWithoutGit } from "./git.ts";
import { failed, type Outcome, passed, passedWith, skipped } from "./step.ts";

const folder = "proto/released";

/** Changed, deleted, or made into something else; a rename is a deletion and an addition. */
const touching = ["--no-renames", "--diff-filter=MDT", "--name-status"];
const images = ["--", `:(glob)${folder}/*.binpb`];

export function imagePath(version: string): string {
  return `${folder}/${version}.binpb`;
}

/** The image of the highest version, relative to the tree. */
export function newestImage(tree: string): string | undefined {
  return findFilesIn(tree, `${folder}/*.binpb`).sort(compareVersions).at(-1);
}

/** An image is what agents in the field were built with, so changing one would falsify every later comparison. */
export async function checkReleasedUnchanged(tree = root): Promise<Outcome> {
  const withoutGit = await whyWithoutGit(tree);
  if (withoutGit !== undefined) return skipped(withoutGit);
  if ((await git(tree, "rev-parse", "--verify", "--quiet", "HEAD")) === undefined) {
    return passedWith("nothing is committed yet");
  }
  const problems = [...(await findCommitted(tree)), ...(await findUncommitted(tree))];
  if (problems.length > 0) {
    return failed(
      [
        ...problems,
        "A released image is what agents in the field were built with; it never changes.",
        `fix: git checkout HEAD -- ${folder}, or take the commit out of the history (git rebase --interactive);`,
        "     then give packages/contract a new version and run npm run release-contract",
      ].join("\n"),
    );
  }
  const isShallow = (await git(tree, "rev-parse", "--is-shallow-repository")) === "true";
  return isShallow ? passedWith("as far as this shallow clone goes back") : passed;
}

/**
 * What the commits up to HEAD did to images that were there before them. Side branches and merges count as well:
 * without `--full-history` and `-m` git leaves out what it takes to be no part of how the files came to be.
 */
async function findCommitted(tree: string): Promise<string[]> {
  const log = ["log", "--full-history", "-m", "--format=commit %h", ...touching, "HEAD", ...images];
  const problems = new Set<string>();
  let commit = "";
  for (const line of await linesOf(tree, log)) {
    if (line.startsWith("commit ")) commit = line;
    else problems.add(`${describe(line)}  in ${commit}`);
  }
  return [...problems];
}

async function findUncommitted(tree: string): Promise<string[]> {
  const lines = await linesOf(tree, ["diff", ...touching, "HEAD", ...images]);
  return lines.map((line) => `${describe(line)}  not committed yet`);
}

/** A question that git cannot answer must not look like one without findings. */
async function linesOf(tree: string, args: readonly string[]): Promise<string[]> {
  const { code, output } = await captureIn(tree, "git", args);
  if (code !== 0) throw new Error(`git ${args.join(" ")} failed:\n${output}`);
  return output.split("\n").filter(Boolean);
}

/** From a line of `--name-status`. */
function describe(line: string): string {
  const [status, path] = line.split("\t");
  return `${status === "D" ? "deleted" : "changed"}  ${path}`;
}

function compareVersions(a: string, b: string): number {
  // Numeric collation orders 0.10.0 after 0.9.0; a pre-release sorts before the release it leads to.
  const [releaseA = "", preA] = basename(a, ".binpb").split(/-(.*)/);
  const [releaseB = "", preB] = basename(b, ".binpb").split(/-(.*)/);
  const order = releaseA.localeCompare(releaseB, "en", { numeric: true });
  if (order !== 0) return order;
  if (preA === undefined || preB === undefined)
    return Number(preA === undefined) - Number(preB === undefined);
  return preA.localeCompare(preB, "en", { numeric: true });
}
