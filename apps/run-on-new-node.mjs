/**
 * The way into the programs of this folder. It is plain JavaScript, so that a Node that cannot run TypeScript still
 * says what is missing instead of a syntax error. A newer Node that npm installed beside takes over when there is one.
 */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import * as modules from "node:module";
import { constants } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The first release that runs everything here as it is. */
const nodeFloor = { major: 24, minor: 2 };

/** Says to the Node that takes over that it was looked for. */
const handedOver = "BATON_HANDED_OVER";

/**
 * @typedef {object} Program
 * @property {string} name what its messages begin with
 * @property {string} url of the file that was started
 * @property {string[]} [nodeOptions] for a Node that takes over, as the first line of the file has them
 * @property {(args: string[]) => Promise<void>} start imports the program and runs it
 */

/** @param {Program} program */
export async function runOnNewNode({ name, url, nodeOptions = [], start }) {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > nodeFloor.major || (major === nodeFloor.major && minor >= nodeFloor.minor)) {
    keepWhatIsCompiled(url);
    delete process.env[handedOver];
    await start(process.argv.slice(2));
    return;
  }
  const path = fileURLToPath(url);
  // When the found Node is too old as well, it must not search again.
  const node = process.env[handedOver] ? undefined : findNode(path);
  if (node !== undefined) return handOver(name, node, path, nodeOptions);
  const floor = `${nodeFloor.major}.${nodeFloor.minor}`;
  fail(name, `Node ${floor} or newer is needed, this is ${process.version}: install Node ${nodeFloor.major}`);
}

/**
 * What was compiled once need not be compiled again: it halves the time until a program answers. It is kept with the
 * packages, since Node's own place for it is the temporary folder, where nothing of ours is to be left behind.
 *
 * @param {string} url
 */
function keepWhatIsCompiled(url) {
  const packages = findAbove(fileURLToPath(url), "node_modules");
  if (packages !== undefined) modules.enableCompileCache?.(join(packages, ".cache", "baton"));
}

/**
 * The Node that comes with the npm package `node`.
 *
 * @param {string} path
 */
function findNode(path) {
  return findAbove(
    path,
    join("node_modules", "node", "bin", process.platform === "win32" ? "node.exe" : "node"),
  );
}

/**
 * The first that is there, in the folder of a file and in those above it.
 *
 * @param {string} path
 * @param {string} name
 */
function findAbove(path, name) {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const candidate = join(folder, name);
    if (existsSync(candidate)) return candidate;
    if (folder === dirname(folder)) return undefined;
  }
}

/**
 * @param {string} name
 * @param {string} node
 * @param {string} path
 * @param {string[]} nodeOptions
 */
function handOver(name, node, path, nodeOptions) {
  const child = spawn(node, [...nodeOptions, path, ...process.argv.slice(2)], {
    stdio: "inherit",
    env: { ...process.env, [handedOver]: "1" },
  });
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) {
    // Ctrl-C on a terminal reaches the whole group: passing it on would deliver it twice.
    process.on(signal, () => {
      if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal);
    });
  }
  child.on("error", (error) => fail(name, `${node} cannot be started: ${error.message}`));
  child.on("exit", (code, signal) => {
    process.exit(code ?? 128 + (signal === null ? 1 : constants.signals[signal]));
  });
}

/**
 * @param {string} name
 * @param {string} problem
 */
function fail(name, problem) {
  process.stderr.write(`${name}: ${problem}\n`);
  process.exitCode = 1;
}
