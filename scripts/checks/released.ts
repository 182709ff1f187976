/** The images of released contracts: proto/released/<version>.binpb, written once and never again. */
import { basename } from "node:path";
import { findFiles } from "../tree.ts";
import { git, mainCommit } from "./git.ts";
import { failed, type Outcome, passed, passedWith, skipped } from "./step.ts";

const folder = "proto/released";

export function imagePath(version: string): string {
  return `${folder}/${version}.binpb`;
}

/** The image of the highest version, relative to the root. */
export function newestImage(): string | undefined {
  return findFiles(`${folder}/*.binpb`).sort(compareVersions).at(-1);
}

/** An image is what agents in the field were built with, so changing one would falsify every later comparison. */
export async function checkReleasedUnchanged(): Promise<Outcome> {
  const head = await git("rev-parse", "--verify", "--quiet", "HEAD");
  if ((await git("rev-parse", "--git-dir")) === undefined) return skipped("this is not a git repository");
  if (head === undefined) return passedWith("nothing is committed yet");
  const main = await mainCommit();
  // Where this branch left main: an image that main gained since then is not one that was deleted here.
  const base = main === undefined ? undefined : await git("merge-base", "HEAD", main);
  const touched = new Set<string>();
  for (const commit of new Set([head, base ?? head])) {
    const listed = await git(
      "diff",
      "--no-renames",
      "--diff-filter=MDT",
      "--name-status",
      commit,
      "--",
      folder,
    );
    for (const line of (listed ?? "").split("\n").filter(Boolean)) touched.add(line);
  }
  if (touched.size === 0) return passed;
  return failed(
    [
      ...[...touched].map(
        (line) => `${line.startsWith("D") ? "deleted" : "changed"}  ${line.split("\t")[1]}`,
      ),
      "A released image is what agents in the field were built with; it never changes.",
      `fix: git checkout ${base ?? "HEAD"} -- ${folder}, then give packages/contract a new version and`,
      "     run npm run release-contract",
    ].join("\n"),
  );
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
