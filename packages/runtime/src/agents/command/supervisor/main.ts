/**
 * A program of its own between the hub and one command, so that the command ends when it should, whatever becomes of the
 * hub:
 *
 * V1. The command is a process group of its own. Told to stop, the group gets SIGTERM and, after a grace, SIGKILL.
 * V2. The line to the hub is cut when the hub dies, however it dies. Nobody hears the command then: its group gets SIGKILL
 *     at once, and its next attempt does not meet it.
 * V3. When the command ends, whatever it started ends with it: its group, and what left the group but has its mark.
 * V4. A command in a sandbox is told to stop without the sandbox: that has no use for SIGTERM but to end at once, and to
 *     take the command with it.
 *
 * Arguments: the grace in milliseconds, the mark, `enclosed` or `plain`, the program and its arguments. Folder, environment and standard streams
 * are the command's own; nothing here reads or writes them.
 */
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { Socket } from "node:net";
import { endStragglers, markOf } from "../../../evidence/stragglers.ts";
import { type FromSupervisor, lineFd } from "./messages.ts";

const [graceMs = "0", markValue = "", kind = "", file = "", ...args] = process.argv.slice(2);
const mark = markOf(markValue);
const hub = new Socket({ fd: lineFd, readable: true, writable: true });

function tell(message: FromSupervisor): void {
  hub.write(`${JSON.stringify(message)}\n`);
}

function run(): void {
  const child = spawn(file, args, {
    stdio: [0, 1, 2],
    detached: true,
    env: { ...process.env, ...mark },
  });
  const signalGroup = (signal: NodeJS.Signals) => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, signal);
    } catch {
      // Nobody of the group is left.
    }
  };
  let isStopping = false;
  const stop = () => {
    if (isStopping) return;
    isStopping = true;
    if (kind === "enclosed") signalWithin(child.pid ?? 0);
    else signalGroup("SIGTERM");
    setTimeout(() => signalGroup("SIGKILL"), Number(graceMs));
  };
  const leave = async (message: FromSupervisor) => {
    signalGroup("SIGKILL");
    await endStragglers(mark);
    // The line may be cut by now; whoever is at its other end then has no use for it.
    hub.end(`${JSON.stringify(message)}\n`, () => process.exit(0));
    hub.on("close", () => process.exit(0));
  };
  child.once("spawn", () => tell({ kind: "started", pid: child.pid ?? 0 }));
  child.once("error", (error) => {
    if (child.pid === undefined) void leave({ kind: "not-started", reason: reasonOf(error) });
  });
  child.once("exit", (code, signal) => void leave({ kind: "ended", code, signal }));
  hub.on("data", stop);
  hub.on("end", () => signalGroup("SIGKILL"));
  hub.on("error", () => signalGroup("SIGKILL"));
  // Whoever ends the hub by a signal to everything it started still gets the command ended in order.
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, stop);
}

/** Programs that make a sandbox and wait in it or before it. */
const wrappers = ["bwrap", "unshare"];

/** SIGTERM to everything that a process started, but the sandbox. */
function signalWithin(root: number): void {
  const found = readProcesses();
  const isBelow = (pid: number): boolean => {
    const parent = found.get(pid)?.parent ?? 0;
    return parent === root || (parent > 1 && isBelow(parent));
  };
  for (const [pid, { name }] of found) {
    if (wrappers.includes(name) || !isBelow(pid)) continue;
    try {
      process.kill(pid, "SIGTERM");
    } catch {
      // It has ended.
    }
  }
}

function readProcesses(): ReadonlyMap<number, { readonly parent: number; readonly name: string }> {
  const found = new Map<number, { readonly parent: number; readonly name: string }>();
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const [, name = "", parent = "0"] =
        /^\d+ \((.*)\) \S (\d+) /s.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
      found.set(Number(pid), { parent: Number(parent), name });
    } catch {
      // It has ended.
    }
  }
  return found;
}

function reasonOf(error: Error): string {
  return "code" in error && error.code === "ENOENT" ? `there is no program "${file}"` : error.message;
}

try {
  run();
} catch (error) {
  // What cannot be said to the system at all, such as an argument with a NUL in it.
  const reason = error instanceof Error ? error.message : String(error);
  hub.end(`${JSON.stringify({ kind: "not-started", reason } satisfies FromSupervisor)}\n`, () =>
    process.exit(1),
  );
}
