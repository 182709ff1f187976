/** Runs npm and asks it about its registry. Plain JavaScript for Node 18 and newer. */
import { spawn } from "node:child_process";
import { basename, delimiter, dirname } from "node:path";

/** @typedef {{ readonly code: number, readonly output: string }} Finished */

/** How long the registry may take for its first answer, a slow proxy included. */
const probeMs = 20_000;

/** npm's codes for a registry that never answered; an answer, even a refusal, has a code like E404. */
const unreached =
  /code (E(?:CONN|HOST|NET)\w+|ENOTFOUND|EAI_\w+|ETIMEDOUT|E\w*SOCKET\w*|ERR_\w*TIMEOUT\w*|\w*CERT\w*|UNABLE_TO_\w+)/;

/**
 * Why npm does not reach its registry; undefined when it does. npm itself is asked, because it knows its settings:
 * registry, proxy, certificates.
 *
 * @param {string} root
 * @param {number} [limitMs]
 * @returns {Promise<string | undefined>}
 */
export async function whyUnreachable(root, limitMs = probeMs) {
  const settings = ["--fetch-retries=1", "--fetch-retry-mintimeout=1000", `--fetch-timeout=${limitMs}`];
  const { code, output } = await npm(root, process.execPath, ["ping", ...settings], limitMs);
  if (code === 0) return undefined;
  if (code === tookTooLong) return `no answer for ${Math.round(limitMs / 1000)} s`;
  return unreached.exec(output)?.[1];
}

/** As the program `timeout` has it. */
const tookTooLong = 124;

/**
 * Runs the npm that called us, or the one on PATH, and keeps what it says.
 *
 * @param {string} root
 * @param {string} node the Node that npm runs on
 * @param {string[]} args
 * @param {number} [limitMs] ends npm after this time; without it npm may take as long as it likes
 * @returns {Promise<Finished>}
 */
export function npm(root, node, args, limitMs) {
  const caller = process.env.npm_execpath ?? "";
  const [command, first] =
    basename(caller) === "npm-cli.js"
      ? [node, [caller]]
      : [process.platform === "win32" ? "npm.cmd" : "npm", []];
  const env = { ...process.env };
  if (node !== process.execPath) env.PATH = [dirname(node), env.PATH].join(delimiter);
  return new Promise((done) => {
    let output = "";
    let isLate = false;
    // Under `npm --silent` the inner npm would be silent as well, and we need its reasons.
    const child = spawn(command, [...first, ...args, "--loglevel=error"], {
      cwd: root,
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    // A signal without a terminal reaches only this process, and npm would continue without the lock.
    const end = () => child.kill();
    process.once("exit", end);
    const limit =
      limitMs === undefined
        ? undefined
        : setTimeout(() => {
            isLate = true;
            child.kill("SIGKILL");
          }, limitMs);
    /** @param {Finished} finished */
    const finish = (finished) => {
      process.off("exit", end);
      clearTimeout(limit);
      done(finished);
    };
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text) => {
        output += text;
      });
    }
    child.on("error", (error) => finish({ code: 127, output: `${command}: ${error.message}` }));
    child.on("close", (code) => finish({ code: isLate ? tookTooLong : (code ?? 1), output }));
  });
}
