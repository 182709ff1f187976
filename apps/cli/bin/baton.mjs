#!/usr/bin/env node
/**
 * The way into `baton`. It is plain JavaScript, so that a Node that cannot run TypeScript still says what is missing
 * instead of a syntax error. A newer Node that npm installed beside takes over when there is one.
 */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import * as modules from "node:module";
import { constants } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The first release that runs everything here as it is. */
const nodeFloor = { major: 24, minor: 2 };

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

if (major > nodeFloor.major || (major === nodeFloor.major && minor >= nodeFloor.minor)) {
  // What was compiled once need not be compiled again: it halves the time until a command answers.
  modules.enableCompileCache?.();
  const { main } = await import("../src/main.ts");
  await main(process.argv.slice(2));
} else {
  const node = findNode();
  if (node !== undefined) handOver(node);
  else {
    process.stderr.write(
      `baton: Node ${nodeFloor.major}.${nodeFloor.minor} or newer is needed, this is ${process.version}: install Node ${nodeFloor.major}\n`,
    );
    process.exitCode = 1;
  }
}

/** The Node that comes with the npm package `node`, in any folder above. */
function findNode() {
  const name = process.platform === "win32" ? "node.exe" : "node";
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const candidate = join(folder, "node_modules", "node", "bin", name);
    if (existsSync(candidate)) return candidate;
    if (folder === dirname(folder)) return undefined;
  }
}

/** @param {string} node */
function handOver(node) {
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: "inherit" });
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) {
    // Ctrl-C on a terminal reaches the whole group: passing it on would deliver it twice.
    process.on(signal, () => {
      if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal);
    });
  }
  child.on("error", (error) => {
    process.stderr.write(`baton: ${node} cannot be started: ${error.message}\n`);
    process.exitCode = 1;
  });
  child.on("exit", (code, signal) => {
    process.exit(code ?? 128 + (signal === null ? 1 : constants.signals[signal]));
  });
}
