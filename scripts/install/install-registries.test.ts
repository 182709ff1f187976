/** The installer with a real npm, against registries that carry more or fewer platforms than the lock file names. */
import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import {
  isForThisMachine,
  type LockEntry,
  type LockFile,
  packageName,
  relock,
  startRegistry,
} from "../testing/registry.ts";
import { makeFolder, write } from "../testing/repository.ts";
import { readJson, root } from "../tree.ts";

const run = promisify(execFile);

/** The npm of this machine, and npm 10, which Node 22 brings, as far as a registry has it. */
const npms = await findNpms();

const complete = relock(readJson<LockFile>("package-lock.json", root));
/** What only packages for other platforms depend on, such as the runtime of a WebAssembly build. */
const dependenciesOfOthers = new Set(
  Object.entries(complete.packages)
    .filter(([, { optional, os, cpu }]) => optional && os === undefined && cpu === undefined)
    .map(([path]) => packageName(path)),
);

/** As npm writes it where the registry carries this platform alone. */
const onlyHere: LockFile = {
  ...complete,
  packages: filter((path, entry) => isForThisMachine(entry) && !dependenciesOfOthers.has(packageName(path))),
};

const registries = {
  "this platform": (_: string, entry: LockEntry) => isForThisMachine(entry),
  "all platforms, without their dependencies": (name: string) => !dependenciesOfOthers.has(name),
  "all platforms and their dependencies": () => true,
};

describe.each(npms)("npm $version", ({ cli }) => {
  describe.each(Object.entries(registries))("with a registry that knows %s", (_, knows) => {
    test("npm ci accepts the lock file", async () => {
      const registry = await startRegistry(complete, knows);
      const tree = makeClone(complete);
      await run(process.execPath, [cli, "ci", "--ignore-scripts"], surroundings(tree, cli, registry.address));
      expectInstalled(tree, complete);
    });

    test("the installer takes a lock file that names only this platform", async () => {
      const registry = await startRegistry(complete, knows);
      const tree = makeClone(onlyHere);
      const code =
        'import("./scripts/install/install.mjs").then((m) => m.bringDependenciesUpToDate(process.cwd()))';
      await run(process.execPath, ["-e", code], surroundings(tree, cli, registry.address));
      expectInstalled(tree, onlyHere);
    });
  });
});

function expectInstalled(tree: string, lock: LockFile): void {
  for (const [path, entry] of Object.entries(lock.packages)) {
    if (packageName(path) === undefined || entry.link || entry.optional) continue;
    expect(readVersion(tree, path), path).toBe(entry.version);
  }
  expect(readFileSync(join(tree, "package-lock.json"), "utf8")).toBe(JSON.stringify(lock));
}

/** An npm with an empty cache that knows no other registry. */
function surroundings(tree: string, cli: string, registry: string) {
  const npm = {
    npm_execpath: cli,
    npm_config_registry: registry,
    npm_config_cache: join(tree, ".npm-cache"),
  };
  return { cwd: tree, env: { ...process.env, ...npm } };
}

function filter(keeps: (path: string, entry: LockEntry) => boolean): Record<string, LockEntry> {
  return Object.fromEntries(Object.entries(complete.packages).filter(([path, entry]) => keeps(path, entry)));
}

function makeClone(lock: LockFile): string {
  const tree = makeFolder();
  const manifests = Object.keys(complete.packages).filter((path) => packageName(path) === undefined);
  for (const path of manifests) cpSync(join(root, path, "package.json"), join(tree, path, "package.json"));
  for (const file of ["install.mjs", "install-lock.mjs", "installed.mjs", "npm.mjs"]) {
    cpSync(join(root, "scripts/install", file), join(tree, "scripts/install", file));
  }
  cpSync(join(root, ".npmrc"), join(tree, ".npmrc"));
  write(tree, { "package-lock.json": JSON.stringify(lock) });
  return tree;
}

function readVersion(tree: string, path: string): string | undefined {
  const file = join(tree, path, "package.json");
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).version : undefined;
}

async function findNpms(): Promise<{ version: string; cli: string }[]> {
  const here = await npmOnPath();
  const folder = join(root, "node_modules", ".cache", "npm-10");
  const older = join(folder, "node_modules", "npm", "bin", "npm-cli.js");
  if (!existsSync(older)) {
    mkdirSync(folder, { recursive: true });
    await run(process.execPath, [here, "install", "--prefix", folder, "npm@10.9.4"], { cwd: folder }).catch(
      () => {},
    );
  }
  return [here, older].filter((cli) => existsSync(cli)).map((cli) => ({ version: versionOf(cli), cli }));
}

async function npmOnPath(): Promise<string> {
  const { stdout } = await run("npm", ["root", "--global"]);
  return join(stdout.trim(), "npm", "bin", "npm-cli.js");
}

function versionOf(cli: string): string {
  return JSON.parse(readFileSync(join(cli, "../../package.json"), "utf8")).version;
}
