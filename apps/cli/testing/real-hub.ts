import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type Running, runBaton, startBaton } from "./run-baton.ts";

export interface RealHub {
  readonly address: string;
  readonly running: Running;
  /** Stops it in good order. */
  stop(): Promise<void>;
}

/** Registers work for the end of the test or of another scope. */
export type AtEnd = (work: () => void | Promise<void>) => void;

/** A hub of its own process, started as a person starts it. */
export async function startRealHub(
  data: string,
  more: readonly string[] = [],
  atEnd: AtEnd = onTestFinished,
  env: Readonly<Record<string, string>> = {},
): Promise<RealHub> {
  const anywhere = "127.0.0.1:0";
  const running = startBaton(["up", "--data", data, "--grpc", anywhere, "--http", anywhere, ...more], {
    env,
  });
  let stopped: Promise<void> | undefined;
  const stop = () => {
    running.interrupt();
    stopped ??= running.ended.then(() => undefined);
    return stopped;
  };
  atEnd(stop);
  await running.printed('"ready":true');
  const line = running
    .soFar()
    .split("\n")
    .find((text) => text.includes('"ready":true'));
  return { address: JSON.parse(line ?? "{}").grpc, running, stop };
}

export function scratchFolder(atEnd: AtEnd = onTestFinished): string {
  const folder = mkdtempSync(join(tmpdir(), "baton-cli-"));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Tasks that nobody can do: each is recorded, asked about, and stays. Their pipelines. */
export async function leaveTasks(
  hub: string,
  count: number,
  more: readonly string[] = [],
): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let task = 1; task <= count; task++) {
    const args = ["run", "--task-type", "implement", "--title", `Task ${task}`, "--accept", "it works"];
    const { stdout } = await runBaton([...args, ...more], { hub });
    ids.push(stdout.trim());
  }
  return ids;
}
