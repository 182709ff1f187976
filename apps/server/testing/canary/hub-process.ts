import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { program } from "../program.ts";
import type { Capture } from "./capture.ts";

interface Ready {
  readonly grpc: string;
  readonly http: string;
  readonly operatorTokenFile?: string;
}

/** The real program. What it prints is kept. */
export async function startHub(
  folder: string,
  capture: Capture,
  env: Readonly<Record<string, string>>,
  ...args: readonly string[]
) {
  const ports = ["--grpc", "127.0.0.1:0", "--http", "127.0.0.1:0", "--log-level", "debug"];
  const child = spawn(process.execPath, [program, ...ports, ...args], {
    cwd: folder,
    env: { ...process.env, ...env },
  });
  child.stdout.on("data", (output: Buffer) => capture.add("log stdout", output));
  child.stderr.on("data", (output: Buffer) => capture.add("log stderr", output));
  const [line] = (await Promise.race([
    once(createInterface(child.stdout), "line"),
    once(child, "close").then(() => [""]),
  ])) as [string];
  const ended = once(child, "close");
  return {
    ready: line === "" ? undefined : (JSON.parse(line) as Ready),
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
    kill: () => void child.kill("SIGKILL"),
  };
}

/** Runs a command of the program to its end, and keeps what it prints. */
export async function runCommand(
  folder: string,
  capture: Capture,
  ...args: readonly string[]
): Promise<void> {
  const child = spawn(process.execPath, [program, ...args], { cwd: folder });
  child.stdout.on("data", (output: Buffer) => capture.add(`log ${args[0]}`, output));
  child.stderr.on("data", (output: Buffer) => capture.add(`log ${args[0]}`, output));
  await once(child, "close");
}
