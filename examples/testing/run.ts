/** Runs the programs of an example, as its reader does. */
import { spawn } from "node:child_process";
import { join, resolve } from "node:path";
import { onTestFinished } from "vitest";

const root = resolve(import.meta.dirname, "../..");
/** The build that vitest keeps current, or the sources. */
const program = join(process.env.BATON_PROGRAMS ?? root, "apps/cli/bin/baton.mjs");

export interface Ran {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number | null;
}

export interface Running {
  readonly ended: Promise<Ran>;
  /** The first line with this text. Rejects when the program ends without one. */
  prints(text: string): Promise<string>;
}

/** Runs a program of Node. It ends with the test. */
export function run(folder: string, args: readonly string[], env: Record<string, string> = {}): Running {
  const child = spawn(process.execPath, [...args], {
    ...{ cwd: folder, stdio: ["ignore", "pipe", "pipe"] },
    env: { ...process.env, ...env },
  });
  let [stdout, stderr] = ["", ""];
  const waiting = new Set<() => void>();
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
    for (const look of waiting) look();
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const ended = new Promise<Ran>((done) => child.on("close", (code) => done({ stdout, stderr, code })));
  onTestFinished(async () => {
    child.kill("SIGTERM");
    await ended;
  });
  const prints = (text: string) =>
    new Promise<string>((found, failed) => {
      const look = () => {
        const line = stdout
          .split("\n")
          .slice(0, -1)
          .find((one) => one.includes(text));
        if (line === undefined) return;
        waiting.delete(look);
        found(line);
      };
      waiting.add(look);
      look();
      void ended.then(({ code }) =>
        failed(new Error(`ended with ${code} without "${text}"\n${stdout}\n${stderr}`)),
      );
    });
  return { ended, prints };
}

export function baton(folder: string, ...args: readonly string[]): Running {
  return run(folder, [program, ...args]);
}

/** Starts a hub in a folder, and returns its address for agents and commands. */
export async function startHub(folder: string): Promise<string> {
  const hub = baton(folder, "up", "--grpc", "127.0.0.1:0", "--http", "127.0.0.1:0");
  return JSON.parse(await hub.prints('"ready"')).grpc;
}
