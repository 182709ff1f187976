/**
 * The way into every npm script: `node scripts/run.mjs <task> [arguments]`.
 *
 * It is plain JavaScript without dependencies, so that it runs on the Node a machine happens to have (18 or newer)
 * and right after a clone. It brings the dependencies up to date, finds a Node that runs TypeScript, and hands over.
 */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { constants } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { bringDependenciesUpToDate } from "./install/install.mjs";

/** @type {Readonly<Record<string, string>>} */
const tasks = {
  setup: "installs the dependencies, and nothing else",
  start: "shows what Baton does, on this machine",
  test: "checks the tree and runs every test",
  check: "format, lint, types, layers, generated files, contract, lock file",
  generate: "writes the files that are generated from proto/",
  bench: "measures what things cost",
  fuzz: "runs the property tests with many more cases",
  simulate: "runs the whole hub on a virtual clock, with faults drawn from a seed",
  chaos: "kills a real hub with real agents under load, and looks whether anything got lost",
  "release-contract": "freezes the contract as the image of a released version",
};

/** 24.2 is the first release with `import.meta.main`, by which a script knows that it is the command. */
const nodeFloor = { major: 24, minor: 2 };

const root = resolve(fileURLToPath(import.meta.url), "../..");
const binaries = join(root, "node_modules", ".bin");

await main(process.argv.slice(2));

/** @param {string[]} args */
async function main([task, ...args]) {
  if (task === undefined || !Object.hasOwn(tasks, task)) {
    const lines = Object.entries(tasks).map(([name, purpose]) => `  ${name.padEnd(17)} ${purpose}`);
    const problem = task === undefined ? "no task given" : `unknown task "${task}"`;
    stop(`${problem}; the tasks are:\n${lines.join("\n")}`);
  }
  try {
    await bringDependenciesUpToDate(root);
  } catch (error) {
    stop(error instanceof Error ? error.message : String(error));
  }
  const node = findNode();
  if (node === undefined) {
    stop(
      `Node ${nodeFloor.major}.${nodeFloor.minor} or newer is missing: this is ${process.version}, and ` +
        "node_modules/node/bin/node is not there. Install Node 24, or allow install scripts and run npm ci.",
    );
  }
  handOver(node, [join(root, "scripts", `${task}.ts`), ...args]);
}

/** The running Node if it is new enough, else the one that comes as a development dependency. */
function findNode() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > nodeFloor.major || (major === nodeFloor.major && minor >= nodeFloor.minor)) {
    return process.execPath;
  }
  const name = process.platform === "win32" ? "node.exe" : "node";
  const installed = join(root, "node_modules", "node", "bin", name);
  return existsSync(installed) ? installed : undefined;
}

/**
 * @param {string} node
 * @param {string[]} args
 */
function handOver(node, args) {
  const child = spawn(node, args, { cwd: root, env: childEnvironment(), stdio: "inherit" });
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) {
    // Ctrl-C on a terminal reaches the whole group: passing it on would deliver it twice, and twice means "force".
    process.on(signal, () => {
      if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal);
    });
  }
  child.on("error", (error) => stop(`${node} cannot be started: ${error.message}`));
  child.on("exit", (code, signal) => {
    process.exit(code ?? 128 + (signal === null ? 1 : constants.signals[signal]));
  });
}

function childEnvironment() {
  const env = { ...process.env };
  env.PATH = [binaries, process.env.PATH].filter(Boolean).join(delimiter);
  // Some tools colour their output whenever CI is set; in a file or a pipe nobody wants that.
  if (!process.stdout.isTTY && env.FORCE_COLOR === undefined) env.NO_COLOR = "1";
  return env;
}

/**
 * @param {string} message
 * @returns {never}
 */
function stop(message) {
  process.stderr.write(`baton: ${message}\n`);
  process.exit(1);
}
