/**
 * A process between the hub and one command, so that the command ends even if the hub dies:
 *
 * V1. The command is a process group. On `stop` the group gets SIGTERM and, after a grace, SIGKILL.
 * V2. The socket to the hub closes when the hub dies. The group gets SIGKILL at once, so that the next attempt does not
 *     meet it.
 * V3. When the command ends, everything it started ends: its group, and processes that left the group but have its mark.
 * V4. In a sandbox, SIGTERM goes to the command without the sandbox's own processes: those would end at once, and the command
 *     with them.
 *
 * Arguments: the grace in milliseconds, the mark, `enclosed` or `plain`, the program and its arguments. Folder, environment
 * and standard streams are those of the command; nothing here reads or writes them.
 */
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { Socket } from "node:net";
import { endLeftoverProcesses, runMark } from "../../../processes/leftover-processes.ts";
import { type FromSupervisor, lineFd } from "./messages.ts";

const [graceMs = "0", markValue = "", kind = "", file = "", ...args] = process.argv.slice(2);
const mark = runMark(markValue);
const hub = new Socket({ fd: lineFd, readable: true, writable: true });

function send(message: FromSupervisor): void {
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
      // The group is gone.
    }
  };
  let isStopping = false;
  const stop = () => {
    if (isStopping) return;
    isStopping = true;
    if (child.pid === undefined) return;
    if (kind === "enclosed") signalWithin(child.pid);
    else signalGroup("SIGTERM");
    setTimeout(() => signalGroup("SIGKILL"), Number(graceMs));
  };
  const leave = async (message: FromSupervisor) => {
    signalGroup("SIGKILL");
    await endLeftoverProcesses(mark);
    // The socket may be closed by now; then nobody needs the message.
    hub.end(`${JSON.stringify(message)}\n`, () => process.exit(0));
    hub.on("close", () => process.exit(0));
  };
  child.once("spawn", () => send({ kind: "started", pid: child.pid ?? 0 }));
  child.once("error", (error) => {
    if (child.pid === undefined) void leave({ kind: "not-started", reason: reasonOf(error) });
  });
  child.once("exit", (code, signal) => void leave({ kind: "ended", code, signal }));
  hub.on("data", stop);
  hub.on("end", () => signalGroup("SIGKILL"));
  hub.on("error", () => signalGroup("SIGKILL"));
  // A signal to the hub's whole process tree ends the command in order as well.
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, stop);
}

/** Programs that set up a sandbox and wait inside or outside of it. */
const wrappers = ["bwrap", "unshare"];

/** SIGTERM to all descendants of a process except the sandbox. */
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
  // Arguments that the system does not accept, such as one with a NUL.
  const reason = error instanceof Error ? error.message : String(error);
  hub.end(`${JSON.stringify({ kind: "not-started", reason } satisfies FromSupervisor)}\n`, () =>
    process.exit(1),
  );
}
