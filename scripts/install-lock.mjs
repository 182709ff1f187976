/** Lets one install at a time work on this tree. Plain JavaScript for Node 18 and newer. */
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** Longer than any install takes; a lock of this age was left behind. */
const staleLockMs = 10 * 60_000;

/**
 * `npm ci` empties node_modules, so two of them at once destroy each other's work: one goes first.
 *
 * @param {string} root
 * @returns {Promise<() => void>}
 */
export async function takeLock(root) {
  const path = join(root, ".cache", "install.lock");
  mkdirSync(join(root, ".cache"), { recursive: true });
  let said = false;
  while (true) {
    try {
      writeFileSync(path, String(process.pid), { flag: "wx" });
      break;
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== "EEXIST") throw error;
    }
    if (isAbandoned(path)) {
      rmSync(path, { force: true });
      continue;
    }
    if (!said) process.stderr.write("baton: waiting for another command to install dependencies\n");
    said = true;
    await sleep(200);
  }
  const release = () => rmSync(path, { force: true });
  const end = () => process.exit(1);
  process.once("exit", release);
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, end);
  return () => {
    process.off("exit", release);
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.off(signal, end);
    release();
  };
}

/** @param {string} path */
function isAbandoned(path) {
  try {
    if (Date.now() - statSync(path).mtimeMs > staleLockMs) return true;
    const owner = Number(readFileSync(path, "utf8"));
    if (owner > 0) process.kill(owner, 0);
    return false;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === "ESRCH";
  }
}
