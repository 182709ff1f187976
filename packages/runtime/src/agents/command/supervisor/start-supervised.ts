import { type ChildProcess, spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { endStragglers, markOf } from "../../../evidence/stragglers.ts";
import { type FromSupervisor, lineFd, stopMessage } from "./messages.ts";

export interface SupervisedSpec {
  readonly file: string;
  readonly args: readonly string[];
  readonly directory: string;
  readonly env: Readonly<Record<string, string>>;
  /** An open file: what the command finds on its standard input. */
  readonly input: number;
  /** How long it has to end by itself when it is told to stop. */
  readonly graceMs: number;
  /** By which everything it starts is known. */
  readonly mark: string;
  /** It runs in a sandbox, whose own processes are not told to stop: they would take it with them at once. */
  readonly isEnclosed?: boolean;
}

/** How a command ended. A supervisor that is gone without a word takes its command with it. */
export type ProcessEnd = Exclude<FromSupervisor, { kind: "started" }> | { readonly kind: "lost" };

export interface Supervised {
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly ended: Promise<ProcessEnd>;
  /** The group gets SIGTERM and, after the grace, SIGKILL. */
  stop(): void;
}

const program = fileURLToPath(new URL("./main.ts", import.meta.url));

/** How often is looked whether the output of a command that has ended is over. */
const lateOutputMs = 500;

/** Starts a command that ends with the hub. Resolves when it runs; throws when it cannot. */
export async function startSupervised(spec: SupervisedSpec): Promise<Supervised> {
  const { file, args, directory, env, input, graceMs, mark, isEnclosed = false } = spec;
  const told = [String(graceMs), mark, isEnclosed ? "enclosed" : "plain"];
  const child = spawn(process.execPath, [program, ...told, file, ...args], {
    cwd: directory,
    env: { ...env },
    detached: true,
    stdio: [input, "pipe", "pipe", "pipe"],
  });
  const line = child.stdio[lineFd] as ChildProcess["stdin"] & Readable;
  const { stdout, stderr } = child;
  if (!stdout || !stderr || !line) throw new Error("a process has the streams it was given");
  line.on("error", () => {}); // The supervisor is gone: its exit tells.
  const messages = readTold(line);
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
    if (end.kind === "lost") await endWithout(group, mark);
    if (end.kind === "not-started") started.reject(new Error(end.reason));
    else started.reject(new Error("its supervisor is gone"));
    ended.resolve(end);
    letGo([stdout, stderr]);
  })();
  child.once("error", (error) => {
    started.reject(error);
    line.destroy();
  });
  started.promise.catch(() => {});
  await started.promise;
  return { stdout, stderr, ended: ended.promise, stop: () => void line.write(stopMessage) };
}

async function* readTold(line: Readable): AsyncGenerator<FromSupervisor> {
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
    // It broke: nothing more is told.
  }
}

/** Somebody has killed the supervisor: what it looked after is ended in its place. */
async function endWithout(group: number | undefined, mark: string): Promise<void> {
  try {
    if (group !== undefined) process.kill(-group, "SIGKILL");
  } catch {
    // Nobody of the group is left.
  }
  await endStragglers(markOf(mark));
}

/**
 * What was printed is read to its end. Something that got away may hold the pipes open for ever: when nothing has come for
 * a while, that is the end. Whoever is slow to read is waited for.
 */
function letGo(streams: readonly Readable[]): void {
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
