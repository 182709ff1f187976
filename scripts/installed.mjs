/** What package-lock.json asks for, and what of it is in node_modules. Plain JavaScript for Node 18 and newer. */
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
 * @property {Record<string, string>} [optionalDependencies]
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
 * Whether the stamp holds the digest of the lock file, and all that was there when it was written still is.
 *
 * @param {string} root
 */
export function isStamped(root) {
  if (!existsSync(stampPath(root))) return false;
  const [digest, ...files] = readFileSync(stampPath(root), "utf8").split("\n");
  return (
    digest === lockDigest(root) && files.length > 0 && files.every((file) => existsSync(join(root, file)))
  );
}

/** @param {string} root */
export function stamp(root) {
  const files = [...inNodeModules(root).map(([path]) => `${path}/package.json`), installedNode];
  const present = files.filter((file) => existsSync(join(root, file)));
  writeFileSync(stampPath(root), [lockDigest(root), ...present].join("\n"));
}

/**
 * Whether npm's own record of the tree, which it writes last, says what the lock file says, and the tree holds it.
 * The record tells of someone who ran `npm install` by hand, and of an npm that gave up halfway with exit code 0
 * ("Exit handler never called!"); the tree tells of someone who removed a part of it.
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
 * Whether a package with a binary for this very machine was left out.
 *
 * @param {string} root
 */
export function lacksNativePackages(root) {
  const report = /** @type {{ header?: { glibcVersionRuntime?: string } }} */ (
    process.report?.getReport() ?? {}
  );
  const libc = report.header?.glibcVersionRuntime === undefined ? "musl" : "glibc";
  return Object.entries(lockedPackages(root)).some(
    ([path, { optional, os, cpu, libc: wanted }]) =>
      optional &&
      os?.includes(process.platform) &&
      cpu?.includes(process.arch) &&
      (wanted?.includes(libc) ?? true) &&
      !existsSync(join(root, path)),
  );
}

/** @param {string} root */
export function lockedPackages(root) {
  return readPackages(join(root, "package-lock.json"));
}

/** @param {string} root */
function wantedEverywhere(root) {
  return inNodeModules(root).filter(([, { optional }]) => !optional);
}

/** @param {string} root */
function inNodeModules(root) {
  return Object.entries(lockedPackages(root)).filter(([path]) => path.startsWith("node_modules/"));
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
 * @returns {Packages}
 */
function readPackages(path) {
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")).packages ?? {}) : {};
}
