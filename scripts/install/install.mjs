/**
 * Brings node_modules in line with package-lock.json and the workspaces.
 *
 * A stamp inside node_modules says what it was installed from and what was there afterwards, so that an up-to-date tree
 * costs one hash and a look at each package. Plain JavaScript for Node 18 and newer: it runs before
 * anything is installed.
 */
import { copyFileSync, existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { takeLock } from "./install-lock.mjs";
import {
  countPresent,
  installedNode,
  isComplete,
  isStamped,
  lacksPrograms,
  lockedPackages,
  missingNativePackages,
  neededEverywhere,
  stamp,
} from "./installed.mjs";
import { npm, whyUnreachable } from "./npm.mjs";

const progressMs = 10_000;

/** npm would otherwise wait 10 and then 60 seconds before it asks again for one of a hundred packages. */
const impatient = ["--fetch-retry-mintimeout=1000", "--fetch-retry-maxtimeout=5000"];

/**
 * @param {string} root
 * @param {{ progressMs: number }} [times]
 * @returns {Promise<void>}
 */
export async function bringDependenciesUpToDate(root, times = { progressMs }) {
  if (isUpToDate(root)) return;
  const release = await takeLock(root);
  const stopProgress = reportProgress(root, times.progressMs);
  try {
    // Another command may have installed everything while this one waited for the lock.
    if (!isUpToDate(root)) await (hasPackages(root) ? linkPrograms(root) : install(root));
  } finally {
    stopProgress();
    release();
  }
}

/** @param {string} root */
function isUpToDate(root) {
  if (isStamped(root)) return true;
  if (!hasPackages(root) || lacksPrograms(root)) return false;
  stamp(root);
  return true;
}

/** @param {string} root */
function hasPackages(root) {
  return isComplete(root) && missingNativePackages(root).length === 0;
}

/**
 * Everything is there but links: they need no registry, and nothing is removed for them.
 *
 * @param {string} root
 */
async function linkPrograms(root) {
  process.stderr.write("baton: linking programs (npm rebuild)\n");
  const result = await npm(root, process.execPath, ["rebuild", "--ignore-scripts", "--offline"]);
  if (result.code !== 0) throw failure("npm rebuild", result.output);
  stamp(root);
}

/** @param {string} root */
async function install(root) {
  process.stderr.write("baton: installing dependencies (npm ci)\n");
  const unreachable = await whyUnreachable(root);
  // Without its registry npm asks again and again for many minutes. Its cache may hold everything, though.
  const settings = unreachable === undefined ? impatient : ["--offline"];
  try {
    await installOn(root, process.execPath, settings);
  } catch (error) {
    throw unreachable === undefined ? error : unreachableRegistry(unreachable);
  }
  const node = join(root, installedNode);
  if (missingNativePackages(root).length > 0 && existsSync(node)) {
    // npm leaves out optional packages that want a newer Node than the one npm itself runs on. Ours run on the Node
    // that came with this install, so npm has to run on it too; from elsewhere, as npm ci empties node_modules.
    process.stderr.write(
      `baton: Node ${process.versions.node} is too old for some packages; installing on Node 24\n`,
    );
    const folder = join(root, ".cache", "bin");
    mkdirSync(folder, { recursive: true });
    copyFileSync(node, join(folder, "node"));
    await installOn(root, join(folder, "node"), settings);
    rmSync(folder, { recursive: true });
  }
  for (const name of missingNativePackages(root)) {
    process.stderr.write(
      `baton: npm left out ${name}, which is built for this machine; does its registry have it?\n`,
    );
  }
  stamp(root);
}

/**
 * @param {string} root
 * @param {string} node the Node that npm runs on
 * @param {readonly string[]} settings
 */
async function installOn(root, node, settings) {
  // The development dependencies hold Node, the compiler and the tests: needed even under NODE_ENV=production.
  const result = await npm(root, node, ["ci", "--include=dev", ...settings]);
  if (result.code === 0 && isComplete(root)) return;
  if (isStale(root, result.output)) throw failure("npm ci", result.output);

  // npm refuses a lock file that lacks packages for other platforms, or what those depend on, as soon as its registry
  // knows them; npm writes such a lock file where the registry does not. `npm install` accepts it, and installs the
  // locked versions; --no-save keeps it as it is.
  const second = await npm(root, node, ["install", "--no-save", "--include=dev", ...settings]);
  if (second.code !== 0 || !isComplete(root)) throw failure("npm install --no-save", second.output);
}

/**
 * Whether npm misses anything in the lock file that this machine needs: a package that one of ours, or one that is
 * installed on every platform, depends on.
 *
 * @param {string} root
 * @param {string} output what `npm ci` printed
 */
function isStale(root, output) {
  const missing = [...output.matchAll(/Missing: (@?[^@\s]+)@\S* from lock file/g)].map(
    (match) => match[1] ?? "",
  );
  if (missing.length === 0 || output.includes("Invalid: ")) return true;
  const needed = neededEverywhere(root);
  const locked = Object.keys(lockedPackages(root));
  return missing.some(
    (name) => needed.has(name) && !locked.some((path) => path.endsWith(`node_modules/${name}`)),
  );
}

/**
 * A line now and then, so that a long install does not look like one that hangs.
 *
 * @param {string} root
 * @param {number} everyMs
 */
function reportProgress(root, everyMs) {
  const start = Date.now();
  const timer = setInterval(() => {
    const { present, wanted } = countPresent(root);
    const seconds = Math.round((Date.now() - start) / 1000);
    process.stderr.write(
      `baton: still installing, ${seconds} s, ${present} of ${wanted} packages are there\n`,
    );
  }, everyMs);
  return () => clearInterval(timer);
}

/** @param {string} reason */
function unreachableRegistry(reason) {
  return new Error(
    `npm cannot reach its registry (${reason}), and its cache does not hold every package.\n` +
      '  fix: go online, or name a registry this machine reaches in npm\'s setting "registry"\n' +
      "       (npm_config_registry=<address>; `npm config get registry` shows it), and run the command again",
  );
}

/**
 * @param {string} command
 * @param {string} output
 */
function failure(command, output) {
  return new Error(
    `${command} failed; node_modules is not usable until it works. Its output:\n${output.trim()}`,
  );
}
