import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Interceptor } from "@connectrpc/connect";
import { onTestFinished } from "vitest";
import { withKey } from "./running-server.ts";

/** The program as it was built for the tests, which starts faster; without them as it is in the tree. */
export const program = join(
  process.env.BATON_PROGRAMS ?? resolve(import.meta.dirname, "../../.."),
  "apps/server/bin/baton-server.mjs",
);
export const anyPorts = ["--grpc", "127.0.0.1:0", "--http", "127.0.0.1:0"];

/** Lets a client of the program decide, with the token that its ready line names. */
export function asOperator(ready: { readonly operatorTokenFile?: string }): Interceptor[] {
  const { operatorTokenFile } = ready;
  return operatorTokenFile === undefined ? [] : [withKey(readFileSync(operatorTokenFile, "utf8").trim())];
}

/** A folder that goes away with the test. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "baton-program-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The program itself, ended with the test if it has not ended before. */
export function start(folder: string, ...args: readonly string[]) {
  const child = spawn(process.execPath, [program, ...args], { cwd: folder });
  onTestFinished(() => void child.kill("SIGKILL"));
  const output = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text) => {
    output.stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text) => {
    output.stderr += text;
  });
  return { child, output, ended: endOf(child) };
}

async function endOf(child: ChildProcessWithoutNullStreams): Promise<number | null> {
  const [code] = await once(child, "close");
  return code;
}

export async function startReady(folder: string, ...args: readonly string[]) {
  const started = start(folder, ...anyPorts, ...args);
  const ready = await Promise.race([
    once(started.child.stdout, "data").then(() => true),
    started.ended.then(() => false),
  ]);
  if (!ready) throw new Error(started.output.stderr);
  return { ...started, ready: JSON.parse(started.output.stdout) };
}
