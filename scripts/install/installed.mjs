/**
 * What package-lock.json and the workspaces ask for, and what of it is in node_modules. Plain JavaScript for Node 18 and
 * newer.
 */
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * @typedef {object} LockedPackage
 * @property {string} [version]
 * @property {boolean} [optional]
 * @property {string[]} [os]
 * @property {string[]} [cpu]
 * @property {string[]} [libc]
 * @property {Record<string, string>} [dependencies]
 * @property {Record<string, string>} [devDependencies]
 *
 * @typedef {Record<string, LockedPackage>} Packages
 */

/** The Node that comes as a development dependency; its install script puts it there, not npm itself. */
export const installedNode = join(
  "node_modules",
  "node",
  "bin",
  process.platform === "win32" ? "node.exe" : "node",
);

/**
 * Whether the stamp holds the digest of what was asked for, and all that was there when it was written still is.
 *
 * @param {string} root
 */
export function isStamped(root) {
  if (!existsSync(stampPath(root))) return false;
  const [digest, ...files] = readFileSync(stampPath(root), "utf8").split("\n");
  return digest === digestOf(root) && files.length > 0 && files.every((file) => existsSync(join(root, file)));
}

/** @param {string} root */
export function stamp(root) {
  const packages = inNodeModules(root).map(([path]) => `${path}/package.json`);
  const files = [...packages, ...workspaceBins(root), installedNode];
  const present = files.filter((file) => existsSync(join(root, file)));
  writeFileSync(stampPath(root), [digestOf(root), ...present].join("\n"));
}

/**
 * Whether npm's own record of the tree, which it writes last, says what the lock file says, and the tree holds it.
 * The record reveals an `npm install` by hand, and an npm that gave up halfway with exit code 0
 * ("Exit handler never called!"); the tree reveals that a part was removed.
 *
 * @param {string} root
 */
export function isComplete(root) {
  const recorded = readPackages(join(root, "node_modules", ".package-lock.json"));
  return wantedEverywhere(root).every(
    ([path, { version }]) =>
      path in recorded && recorded[path]?.version === version && existsSync(join(root, path, "package.json")),
  );
}

/**
 * Whether a program of a workspace is not linked, as one that was added since. No version reveals it.
 *
 * @param {string} root
 */
export function lacksPrograms(root) {
  return workspaceBins(root).some((file) => !existsSync(join(root, file)));
}

/**
 * How much of what every machine needs is there, for a line of progress.
 *
 * @param {string} root
 */
export function countPresent(root) {
  const wanted = wantedEverywhere(root);
  const present = wanted.filter(([path]) => existsSync(join(root, path, "package.json")));
  return { present: present.length, wanted: wanted.length };
}

/**
 * The packages with a binary for this very machine that were left out.
 *
 * @param {string} root
 * @returns {string[]}
 */
export function missingNativePackages(root) {
  const report = /** @type {{ header?: { glibcVersionRuntime?: string } }} */ (
    process.report?.getReport() ?? {}
  );
  const libc = report.header?.glibcVersionRuntime === undefined ? "musl" : "glibc";
  return Object.entries(lockedPackages(root))
    .filter(
      ([path, { optional, os, cpu, libc: wanted }]) =>
        optional &&
        os?.includes(process.platform) &&
        cpu?.includes(process.arch) &&
        (wanted?.includes(libc) ?? true) &&
        !existsSync(join(root, path)),
    )
    .map(([path]) => path.replace("node_modules/", ""));
}

/** @param {string} root */
export function lockedPackages(root) {
  return readPackages(join(root, "package-lock.json"));
}

/**
 * The names of what our packages, and every package that all platforms install, depend on.
 *
 * @param {string} root
 * @returns {Set<string>}
 */
export function neededEverywhere(root) {
  const ours = [join(root, "package.json"), ...workspaceManifests(root)].map(
    (path) => /** @type {LockedPackage} */ (existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {}),
  );
  const theirs = wantedEverywhere(root).map(([, entry]) => entry);
  return new Set(
    [...ours, ...theirs].flatMap(({ dependencies = {}, devDependencies = {} }) => [
      ...Object.keys(dependencies),
      ...Object.keys(devDependencies),
    ]),
  );
}

/** @param {string} root */
function wantedEverywhere(root) {
  return inNodeModules(root).filter(([, { optional }]) => !optional);
}

/** @param {string} root */
function inNodeModules(root) {
  return Object.entries(lockedPackages(root)).filter(([path]) => path.startsWith("node_modules/"));
}

/**
 * The workspaces' own manifests, as far as they are there.
 *
 * @param {string} root
 */
function workspaceManifests(root) {
  return Object.keys(lockedPackages(root))
    .filter((path) => path !== "" && !path.startsWith("node_modules/"))
    .map((path) => join(root, path, "package.json"))
    .filter((path) => existsSync(path))
    .sort();
}

/**
 * Where npm links the programs of the workspaces, so that `npx` finds them.
 *
 * @param {string} root
 */
function workspaceBins(root) {
  return workspaceManifests(root).flatMap((path) => {
    /** @type {{ name?: string, bin?: string | Record<string, string> }} */
    const { name = "", bin = {} } = JSON.parse(readFileSync(path, "utf8"));
    const programs = typeof bin === "string" ? [name.replace(/^@.*\//, "")] : Object.keys(bin);
    return programs.map((program) => join("node_modules", ".bin", program));
  });
}

/**
 * Of everything that says what has to be installed.
 *
 * @param {string} root
 */
function digestOf(root) {
  const hash = createHash("sha256");
  for (const path of [join(root, "package-lock.json"), ...workspaceManifests(root)]) {
    hash.update(readFileSync(path));
  }
  return hash.digest("hex");
}

/** @param {string} root */
function stampPath(root) {
  return join(root, "node_modules", ".baton-lock-digest");
}

/**
 * @param {string} path
 * @returns {Packages}
 */
function readPackages(path) {
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")).packages ?? {}) : {};
}
