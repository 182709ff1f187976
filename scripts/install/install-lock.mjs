/** Lets one install at a time work on this tree. Plain JavaScript for Node 18 and newer. */
import { mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const pollMs = 200;
/** The owner touches its lock this often, however long its install takes. */
const beatMs = 5_000;
/** A lock that nobody touched for so long was left behind, even if its owner's number is another program's now. */
const staleMs = 2 * 60_000;

/**
 * `npm ci` empties node_modules, so two of them at once destroy each other's work: one goes first.
 *
 * @param {string} root
 * @param {{ beatMs: number, staleMs: number }} [times]
 * @returns {Promise<() => void>}
 */
export async function takeLock(root, times = { beatMs, staleMs }) {
  const path = join(root, ".cache", "install.lock");
  mkdirSync(join(root, ".cache"), { recursive: true });
  let lastBeat = 0;
  let silentMs = 0;
  let isReported = false;
  while (!tryToCreate(path)) {
    // Counted in our own polls and not read off the clock: a machine that slept, or a clock that was set, must not
    // make a living lock look old.
    const beat = readBeat(path);
    silentMs = beat === lastBeat ? silentMs + pollMs : 0;
    lastBeat = beat;
    if (isOwnerGone(path) || silentMs > times.staleMs) {
      rmSync(path, { force: true });
      continue;
    }
    if (!isReported) process.stderr.write("baton: waiting for another command to install dependencies\n");
    isReported = true;
    await sleep(pollMs);
  }
  return hold(path, times.beatMs);
}

/**
 * Keeps the lock alive, and takes it away when it is released or the process ends.
 *
 * @param {string} path
 * @param {number} everyMs
 */
function hold(path, everyMs) {
  const beating = setInterval(() => {
    const now = new Date();
    try {
      utimesSync(path, now, now);
    } catch {
      // Somebody removed it by hand; the install goes on.
    }
  }, everyMs);
  beating.unref();
  const remove = () => rmSync(path, { force: true });
  const end = () => process.exit(1);
  process.once("exit", remove);
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, end);
  return () => {
    clearInterval(beating);
    process.off("exit", remove);
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.off(signal, end);
    remove();
  };
}

/** @param {string} path */
function tryToCreate(path) {
  try {
    writeFileSync(path, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== "EEXIST") throw error;
    return false;
  }
}

/** @param {string} path */
function readBeat(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** @param {string} path */
function isOwnerGone(path) {
  try {
    const owner = Number(readFileSync(path, "utf8"));
    if (owner > 0) process.kill(owner, 0);
    return false;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === "ESRCH";
  }
}
