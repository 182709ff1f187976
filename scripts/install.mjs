/**
 * Brings node_modules in line with package-lock.json.
 *
 * A stamp inside node_modules holds the digest of the lock file it was installed from, so that an up-to-date tree
 * costs one hash. Plain JavaScript for Node 18 and newer: it runs before anything is installed.
 */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, delimiter, dirname, join } from "node:path";
import { takeLock } from "./install-lock.mjs";

/**
 * @typedef {object} LockedPackage
 * @property {string} [version]
 * @property {boolean} [optional]
 * @property {string[]} [os]
 * @property {string[]} [cpu]
 * @property {string[]} [libc]
 * @property {Record<string, string>} [optionalDependencies]
 *
 * @typedef {{ packages?: Record<string, LockedPackage> }} LockFile
 */

/**
 * @param {string} root
 * @returns {Promise<void>}
 */
export async function bringDependenciesUpToDate(root) {
  if (isUpToDate(root)) return;
  const release = await takeLock(root);
  try {
    // Another command may have installed everything while this one waited for the lock.
    if (!isUpToDate(root)) await install(root);
  } finally {
    release();
  }
}

/** @param {string} root */
function isUpToDate(root) {
  const digest = lockDigest(root);
  const stamp = stampPath(root);
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === digest) return true;
  if (!isComplete(root) || lacksNativePackages(root)) return false;
  writeFileSync(stamp, digest);
  return true;
}

/**
 * Whether npm's own record of the tree, which it writes last, says what the lock file says. It tells of someone who
 * ran `npm install` by hand, and of an npm that gave up halfway with exit code 0 ("Exit handler never called!").
 *
 * @param {string} root
 */
function isComplete(root) {
  const installed = readJson(join(root, "node_modules", ".package-lock.json")).packages ?? {};
  const wanted = Object.entries(readJson(join(root, "package-lock.json")).packages ?? {}).filter(
    ([path, entry]) => path.startsWith("node_modules/") && !entry.optional,
  );
  return wanted.every(([path, entry]) => path in installed && installed[path]?.version === entry.version);
}

/** @param {string} root */
async function install(root) {
  process.stderr.write("baton: installing dependencies (npm ci)\n");
  await installOn(root, process.execPath);
  const node = join(root, "node_modules", "node", "bin", "node");
  if (lacksNativePackages(root) && existsSync(node)) {
    // npm leaves out optional packages that want a newer Node than the one npm itself runs on. Ours run on the Node
    // that came with this install, so npm has to run on it too; from elsewhere, as npm ci empties node_modules.
    process.stderr.write(
      `baton: Node ${process.versions.node} is too old for some packages; installing on Node 24\n`,
    );
    const folder = join(root, ".cache", "bin");
    mkdirSync(folder, { recursive: true });
    copyFileSync(node, join(folder, "node"));
    await installOn(root, join(folder, "node"));
    rmSync(folder, { recursive: true });
  }
  writeFileSync(stampPath(root), lockDigest(root));
}

/**
 * @param {string} root
 * @param {string} node the Node that npm runs on
 */
async function installOn(root, node) {
  // The development dependencies hold Node, the compiler and the tests: needed even under NODE_ENV=production.
  const result = await npm(root, node, ["ci", "--include=dev"]);
  if (result.code === 0 && isComplete(root)) return;
  if (!lacksOnlyOptional(root, result.output)) throw failure("npm ci", result.output);

  // npm 11 refuses a lock file that lacks optional packages for other platforms, and leaves them out itself when
  // its registry has no copy of them. `npm install` accepts the same lock file; --no-save keeps it as it is.
  process.stderr.write(
    "baton: npm ci wants optional packages of other platforms; using npm install --no-save\n",
  );
  const second = await npm(root, node, ["install", "--no-save", "--include=dev"]);
  if (second.code !== 0 || !isComplete(root)) throw failure("npm install --no-save", second.output);
}

/**
 * Whether a package with a binary for this very machine was left out.
 *
 * @param {string} root
 */
function lacksNativePackages(root) {
  const report = /** @type {{ header?: { glibcVersionRuntime?: string } }} */ (
    process.report?.getReport() ?? {}
  );
  const libc = report.header?.glibcVersionRuntime === undefined ? "musl" : "glibc";
  return Object.entries(readJson(join(root, "package-lock.json")).packages ?? {}).some(
    ([path, { optional, os, cpu, libc: wanted }]) =>
      optional &&
      os?.includes(process.platform) &&
      cpu?.includes(process.arch) &&
      (wanted?.includes(libc) ?? true) &&
      !existsSync(join(root, path)),
  );
}

/**
 * Whether everything npm misses in the lock file is optional there, so that the lock file is not really stale.
 *
 * @param {string} root
 * @param {string} output
 */
function lacksOnlyOptional(root, output) {
  const packages = Object.values(readJson(join(root, "package-lock.json")).packages ?? {});
  const optional = new Set(packages.flatMap((entry) => Object.keys(entry.optionalDependencies ?? {})));
  const missing = [...output.matchAll(/Missing: (@?[^@\s]+)@\S* from lock file/g)].map(
    (match) => match[1] ?? "",
  );
  return missing.length > 0 && !output.includes("Invalid: ") && missing.every((name) => optional.has(name));
}

/**
 * Runs the npm that called us, or the one on PATH, and keeps what it says.
 *
 * @param {string} root
 * @param {string} node
 * @param {string[]} args
 * @returns {Promise<{ code: number, output: string }>}
 */
function npm(root, node, args) {
  const caller = process.env.npm_execpath ?? "";
  const [command, first] =
    basename(caller) === "npm-cli.js"
      ? [node, [caller]]
      : [process.platform === "win32" ? "npm.cmd" : "npm", []];
  const env = { ...process.env };
  if (node !== process.execPath) env.PATH = [dirname(node), env.PATH].join(delimiter);
  return new Promise((done) => {
    let output = "";
    // Under `npm --silent` the inner npm would be silent as well, and we need its reasons.
    const child = spawn(command, [...first, ...args, "--loglevel=error"], {
      cwd: root,
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text) => {
        output += text;
      });
    }
    child.on("error", (error) => done({ code: 127, output: `${command}: ${error.message}` }));
    child.on("close", (code) => done({ code: code ?? 1, output }));
  });
}

/** @param {string} root */
function lockDigest(root) {
  return createHash("sha256")
    .update(readFileSync(join(root, "package-lock.json")))
    .digest("hex");
}

/** @param {string} root */
function stampPath(root) {
  return join(root, "node_modules", ".baton-lock-digest");
}

/**
 * @param {string} path
 * @returns {LockFile}
 */
function readJson(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {};
}

/**
 * @param {string} command
 * @param {string} output
 */
function failure(command, output) {
  return new Error(
    `${command} failed; node_modules is not usable until it works. It said:\n${output.trim()}`,
  );
}
