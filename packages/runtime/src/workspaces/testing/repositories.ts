import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { onTestFinished } from "vitest";

/** A folder that is removed after the test. */
export function scratch(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "baton-workspaces-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Git without any settings, as a person would call it. */
export function gitIn(folder: string, ...args: string[]): string {
  const env = {
    PATH: process.env.PATH ?? "",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_AUTHOR_NAME: "Ada",
    GIT_AUTHOR_EMAIL: "ada@example.com",
    GIT_COMMITTER_NAME: "Ada",
    GIT_COMMITTER_EMAIL: "ada@example.com",
  };
  return execFileSync("git", args, {
    cwd: folder,
    env,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  }).trimEnd();
}

export function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

/** A repository with one commit of two files. */
export function repository(): string {
  const folder = join(scratch(), "shop");
  mkdirSync(folder);
  gitIn(folder, "init", "-q", "-b", "main");
  write(folder, { "total.js": "export const total = 0;\n", "src/cart.js": "export const cart = [];\n" });
  gitIn(folder, "add", ".");
  gitIn(folder, "commit", "-qm", "begin");
  return folder;
}

/**
 * Everything a checkout may contain: staged, changed and new files, a stash, settings, and hooks that leave a trace.
 */
export function dirty(folder: string): string {
  const ran = join(folder, "..", "a-hook-ran");
  write(folder, { "total.js": "stashed\n" });
  gitIn(folder, "stash");
  write(folder, {
    "total.js": "staged\n",
    "src/cart.js": "changed\n",
    "new.txt": "new\n",
    ".gitattributes": "*.js filter=own\n",
  });
  gitIn(folder, "add", "total.js");
  gitIn(folder, "config", "filter.own.clean", `touch ${ran}; cat`);
  gitIn(folder, "config", "filter.own.smudge", `touch ${ran}; cat`);
  gitIn(folder, "config", "core.fsmonitor", `touch ${ran}; false`);
  const hooks = [
    "post-checkout",
    "pre-commit",
    "reference-transaction",
    "post-index-change",
    "update",
    "pre-push",
  ];
  for (const hook of hooks) {
    const path = join(folder, ".git/hooks", hook);
    write(folder, { [`.git/hooks/${hook}`]: `#!/bin/sh\ntouch ${ran}\n` });
    chmodSync(path, 0o755);
  }
  rmSync(ran, { force: true }); // What was done to set it up may have run one.
  return ran;
}

/** Every byte of a checkout and its git directory, except objects and the hub's branches `baton/…`. */
export function fingerprint(folder: string): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  const walk = (path: string) => {
    for (const name of readdirSync(path)) {
      const full = join(path, name);
      const at = relative(folder, full);
      if (/(^|\.git\/)(objects|refs\/heads\/baton)$/.test(at)) continue;
      const stat = lstatSync(full);
      if (stat.isDirectory()) walk(full);
      else if (stat.isSymbolicLink()) found[at] = `-> ${readlinkSync(full)}`;
      else
        found[at] =
          `${stat.mode.toString(8)} ${createHash("sha256").update(readFileSync(full)).digest("hex")}`;
    }
  };
  walk(folder);
  return found;
}

export function branches(folder: string): readonly string[] {
  const listed = gitIn(folder, "for-each-ref", "--format=%(refname:short)", "refs/heads/baton");
  return listed === "" ? [] : listed.split("\n");
}
