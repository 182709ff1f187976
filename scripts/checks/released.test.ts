import { renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { commit, git, makeFolder, makeRepository, makeTree, write } from "../testing/repository.ts";
import { checkReleasedUnchanged, newestImage } from "./released.ts";

const image = "proto/released/1.0.0.binpb";
const released = { [image]: "one", "README.md": "A tree." };

// A hook of git's runs us with its own repository in the environment.
beforeEach(() => {
  vi.stubEnv("GIT_DIR", undefined);
  vi.stubEnv("GIT_INDEX_FILE", undefined);
  return () => vi.unstubAllEnvs();
});

/** Everything that can be done to an image. */
const changes: [string, string, (tree: string) => void][] = [
  ["rewritten", "changed", (tree) => write(tree, { [image]: "another" })],
  ["deleted", "deleted", (tree) => rmSync(join(tree, image))],
  ["renamed", "deleted", (tree) => renameSync(join(tree, image), join(tree, "proto/released/1.0.1.binpb"))],
  [
    "made a link",
    "changed",
    (tree) => {
      rmSync(join(tree, image));
      symlinkSync("../../README.md", join(tree, image));
    },
  ],
];

describe("[CON-08] an image that was committed on main", () => {
  test.each(changes)("and is %s there is found with its commit", async (_, word, change) => {
    const tree = makeRepository(released);
    change(tree);
    const culprit = commit(tree);
    write(tree, { "README.md": "A later commit." });
    commit(tree);
    expect(await findings(tree)).toEqual([`${word}  ${image}  in commit ${culprit}`]);
  });

  test.each(changes)("and is %s in the folder is found", async (_, word, change) => {
    const tree = makeRepository(released);
    change(tree);
    expect(await findings(tree)).toEqual([`${word}  ${image}  not committed yet`]);
    git(tree, "add", "--all");
    expect(await findings(tree)).toEqual([`${word}  ${image}  not committed yet`]);
  });

  test("and is rewritten on a branch is found there, and after the merge", async () => {
    const tree = makeRepository(released);
    git(tree, "switch", "--quiet", "--create", "topic");
    write(tree, { [image]: "another" });
    const culprit = commit(tree);
    expect(await findings(tree)).toEqual([`changed  ${image}  in commit ${culprit}`]);
    git(tree, "switch", "--quiet", "main");
    git(tree, "merge", "--quiet", "--no-ff", "--no-edit", "topic");
    expect(await findings(tree)).toContain(`changed  ${image}  in commit ${culprit}`);
  });

  test("and is rewritten by a merge is found", async () => {
    const tree = makeRepository(released);
    git(tree, "switch", "--quiet", "--create", "topic");
    write(tree, { "docs.md": "A topic." });
    commit(tree);
    git(tree, "switch", "--quiet", "main");
    git(tree, "merge", "--quiet", "--no-ff", "--no-commit", "topic");
    write(tree, { [image]: "another" });
    const culprit = commit(tree);
    expect(await findings(tree)).toEqual([`changed  ${image}  in commit ${culprit}`]);
  });

  test("and was rewritten on a side branch that a merge then overruled is found", async () => {
    const tree = makeRepository(released);
    git(tree, "switch", "--quiet", "--create", "topic");
    write(tree, { [image]: "another" });
    const culprit = commit(tree);
    git(tree, "switch", "--quiet", "main");
    git(tree, "merge", "--quiet", "--no-edit", "--strategy=ours", "topic");
    expect(await findings(tree)).toContain(`changed  ${image}  in commit ${culprit}`);
  });
});

describe("[CON-08] it is fine", () => {
  test("when images are only added, committed or not", async () => {
    const tree = makeRepository(released);
    write(tree, { "proto/released/1.1.0.binpb": "two", "proto/released/README.md": "Images." });
    commit(tree);
    write(tree, { "proto/released/1.2.0.binpb": "three", "proto/released/README.md": "The images." });
    expect(await checkReleasedUnchanged(tree)).toEqual({ status: "passed" });
  });

  test("when main gained an image after the branch left it, and when the two are merged", async () => {
    const tree = makeRepository(released);
    git(tree, "branch", "--quiet", "topic");
    write(tree, { "proto/released/1.1.0.binpb": "two" });
    commit(tree);
    git(tree, "switch", "--quiet", "topic");
    write(tree, { "docs.md": "A topic." });
    commit(tree);
    expect(await checkReleasedUnchanged(tree)).toEqual({ status: "passed" });
    git(tree, "merge", "--quiet", "--no-edit", "main");
    expect(await checkReleasedUnchanged(tree)).toEqual({ status: "passed" });
  });
});

describe("where history is missing", () => {
  test("a shallow clone passes and says how far it looked", async () => {
    const origin = makeRepository(released);
    write(origin, { "README.md": "A later commit." });
    commit(origin);
    const tree = makeFolder();
    git(tree, "clone", "--quiet", "--depth=1", `file://${origin}`, ".");
    expect(await checkReleasedUnchanged(tree)).toEqual({
      status: "passed",
      note: "as far as this shallow clone goes back",
    });
    write(tree, { [image]: "another" });
    expect(await checkReleasedUnchanged(tree)).toMatchObject({ status: "failed" });
  });

  test("a folder that is no repository is skipped", async () => {
    expect(await checkReleasedUnchanged(makeTree(released))).toEqual({
      status: "skipped",
      reason: expect.stringContaining("not a git repository"),
    });
  });

  test("a machine without git is skipped", async () => {
    const tree = makeRepository(released);
    vi.stubEnv("PATH", makeFolder());
    expect(await checkReleasedUnchanged(tree)).toEqual({
      status: "skipped",
      reason: expect.stringContaining("git cannot be started"),
    });
  });

  test("a repository without commits passes and says so", async () => {
    const tree = makeTree(released);
    git(tree, "init", "--quiet");
    expect(await checkReleasedUnchanged(tree)).toEqual({
      status: "passed",
      note: "nothing is committed yet",
    });
  });

  test("a history that git cannot read is an error, not a pass", async () => {
    const tree = makeRepository(released);
    const files = git(tree, "rev-parse", "HEAD^{tree}");
    rmSync(join(tree, ".git/objects", files.slice(0, 2), files.slice(2)));
    await expect(checkReleasedUnchanged(tree)).rejects.toThrow("git log");
  });
});

test("the newest image is that of the highest version, and a pre-release comes before its release", () => {
  const tree = makeTree({ "proto/released/0.9.0.binpb": "", "proto/released/0.10.0-beta.2.binpb": "" });
  expect(newestImage(tree)).toBe("proto/released/0.10.0-beta.2.binpb");
  write(tree, { "proto/released/0.10.0.binpb": "" });
  expect(newestImage(tree)).toBe("proto/released/0.10.0.binpb");
});

/** The lines that name an image. */
async function findings(tree: string): Promise<string[]> {
  const outcome = await checkReleasedUnchanged(tree);
  if (outcome.status !== "failed") throw new Error(`the check ${outcome.status}`);
  return outcome.output.split("\n").filter((line) => /^(changed|deleted) /.test(line));
}
