/** Small trees in temporary folders for the tests of the checks, with or without git. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

export type Files = Readonly<Record<string, string | Uint8Array>>;

/** A folder that goes away with the test. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "baton-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function makeTree(files: Files): string {
  const tree = makeFolder();
  write(tree, files);
  return tree;
}

/** A repository whose branch main holds these files. */
export function makeRepository(files: Files): string {
  const tree = makeTree(files);
  git(tree, "init", "--quiet", "--initial-branch=main");
  commit(tree);
  return tree;
}

export function write(tree: string, files: Files): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(tree, path)), { recursive: true });
    writeFileSync(join(tree, path), content);
  }
}

/** Commits everything as it is in the folder; gives the commit's short name. */
export function commit(tree: string): string {
  git(tree, "add", "--all");
  git(tree, "commit", "--quiet", "--message", "A change");
  return git(tree, "rev-parse", "--short", "HEAD");
}

export function git(tree: string, ...args: readonly string[]): string {
  return execFileSync("git", args, { cwd: tree, encoding: "utf8", env: environment(), stdio: "pipe" }).trim();
}

/** Nothing of the user's settings, and no repository but the one in the folder. */
function environment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_"));
  return {
    ...Object.fromEntries(own),
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_NOSYSTEM: "1",
    ...{ GIT_AUTHOR_NAME: "A", GIT_AUTHOR_EMAIL: "a@example.org" },
    ...{ GIT_COMMITTER_NAME: "A", GIT_COMMITTER_EMAIL: "a@example.org" },
  };
}
