import { type ChildProcess, spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { endLeftoverProcesses, runMark } from "../../../processes/leftover-processes.ts";
import { type FromSupervisor, lineFd, stopMessage } from "./messages.ts";

export interface SupervisedSpec {
  readonly file: string;
  readonly args: readonly string[];
  readonly directory: string;
  readonly env: Readonly<Record<string, string>>;
  /** File descriptor of its standard input. */
  readonly input: number;
  /** Time between SIGTERM and SIGKILL. */
  readonly graceMs: number;
  /** Marks every process that it starts. */
  readonly mark: string;
  /** It runs in a sandbox, whose own processes get no SIGTERM: they would end it at once. */
  readonly isEnclosed?: boolean;
}

/** How a command ended. `lost`: its supervisor died, and the command with it. */
export type ProcessEnd = Exclude<FromSupervisor, { kind: "started" }> | { readonly kind: "lost" };

export interface Supervised {
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly ended: Promise<ProcessEnd>;
  /** The group gets SIGTERM and, after the grace, SIGKILL. */
  stop(): void;
}

const program = fileURLToPath(new URL("./main.ts", import.meta.url));

/** Interval of the check whether the output of an ended command is read. */
const lateOutputMs = 500;

/** Starts a command that ends with the hub. Resolves when it runs; throws when it cannot. */
export async function startSupervised(spec: SupervisedSpec): Promise<Supervised> {
  const { file, args, directory, env, input, graceMs, mark, isEnclosed = false } = spec;
  const ownArgs = [String(graceMs), mark, isEnclosed ? "enclosed" : "plain"];
  const child = spawn(process.execPath, [program, ...ownArgs, file, ...args], {
    cwd: directory,
    env: { ...env },
    detached: true,
    stdio: [input, "pipe", "pipe", "pipe"],
  });
  const line = child.stdio[lineFd] as ChildProcess["stdin"] & Readable;
  const { stdout, stderr } = child;
  if (!stdout || !stderr || !line) throw new Error("a process has the streams it was given");
  line.on("error", () => {}); // The supervisor is gone: its exit reports it.
  const messages = readMessages(line);
  let group: number | undefined;
  const started = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<ProcessEnd>();
  void (async () => {
    let end: ProcessEnd = { kind: "lost" };
    for await (const message of messages) {
      if (message.kind !== "started") end = message;
      else {
        group = message.pid;
        started.resolve();
      }
    }
    if (end.kind === "lost") await endAbandoned(group, mark);
    if (end.kind === "not-started") started.reject(new Error(end.reason));
    else started.reject(new Error("its supervisor is gone"));
    ended.resolve(end);
    closeWhenRead([stdout, stderr]);
  })();
  child.once("error", (error) => {
    started.reject(error);
    line.destroy();
  });
  started.promise.catch(() => {});
  await started.promise;
  return { stdout, stderr, ended: ended.promise, stop: () => void line.write(stopMessage) };
}

async function* readMessages(line: Readable): AsyncGenerator<FromSupervisor> {
  let text = "";
  line.setEncoding("utf8");
  try {
    for await (const chunk of line) {
      text += chunk;
      const lines = text.split("\n");
      text = lines.pop() ?? "";
      for (const one of lines) yield JSON.parse(one) as FromSupervisor;
    }
  } catch {
    // The socket broke: no message follows.
  }
}

/** The supervisor was killed: ends its command. */
async function endAbandoned(group: number | undefined, mark: string): Promise<void> {
  try {
    if (group !== undefined) process.kill(-group, "SIGKILL");
  } catch {
    // Nobody of the group is left.
  }
  await endLeftoverProcesses(runMark(mark));
}

/**
 * Closes the pipes when their output is read. A process that escaped may hold them open forever, so they are closed when
 * nothing has come for a while; a slow reader is waited for.
 */
function closeWhenRead(streams: readonly Readable[]): void {
  for (const stream of streams) {
    let wasEmpty = false;
    const timer = setInterval(() => {
      const isEmpty = stream.readableLength === 0;
      if (isEmpty && wasEmpty) stream.destroy();
      wasEmpty = isEmpty;
      if (stream.closed || stream.destroyed) clearInterval(timer);
    }, lateOutputMs);
    timer.unref();
    stream.once("close", () => clearInterval(timer));
  }
}
