import { type ChildProcess, spawn } from "node:child_process";
import { join, resolve } from "node:path";

/** Under vitest the programs as they were built for it, which start faster. */
const programs = process.env.BATON_PROGRAMS ?? resolve(import.meta.dirname, "../../..");
const program = join(programs, "apps/cli/bin/baton.mjs");
const server = join(programs, "apps/server/bin/baton-server.mjs");

export interface Ran {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ran>;
  /** Ctrl-C: typed on a terminal, else the signal that it would send. */
  interrupt(): void;
  /** Resolves when standard output, or standard error, holds the text. */
  printed(text: string): Promise<void>;
  /** What standard output holds until now. */
  soFar(): string;
}

export interface Circumstances {
  readonly hub?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  readonly cwd?: string;
}

/** Only what is named here reaches the program: what the machine happens to have set does not. */
function environment({ hub, env }: Circumstances): Record<string, string> {
  return {
    PATH: process.env.PATH ?? "",
    LANG: "C.UTF-8",
    BATON_SERVER: server,
    ...(hub === undefined ? {} : { BATON_HUB: hub }),
    ...env,
  };
}

/** The real program in a pipe. */
export function startBaton(args: readonly string[], circumstances: Circumstances = {}): Running {
  return watch(
    spawn(process.execPath, [program, ...args], {
      env: environment(circumstances),
      cwd: circumstances.cwd,
      stdio: ["pipe", "pipe", "pipe"],
    }),
    (child) => child.kill("SIGINT"),
    circumstances.stdin ?? "",
  );
}

/** A script for bash, in a process group of its own: Ctrl-C reaches all of the group, as on a terminal. */
export function startScript(script: string, circumstances: Circumstances = {}): Running {
  return watch(
    spawn("bash", ["-e", "-c", script], {
      env: environment(circumstances),
      cwd: circumstances.cwd,
      stdio: ["pipe", "pipe", "pipe"],
      detached: true,
    }),
    (child) => signalGroup(child, "SIGINT"),
    circumstances.stdin ?? "",
  );
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // All of it has ended.
  }
}

export function runBaton(args: readonly string[], circumstances: Circumstances = {}): Promise<Ran> {
  return startBaton(args, circumstances).ended;
}

/** Runs a program under a pseudo terminal; what it prints comes back as the terminal got it. */
const terminalScript = `
import fcntl, os, pty, select, struct, sys, termios
columns, rows = int(sys.argv[1]), int(sys.argv[2])
pid, terminal = pty.fork()
if pid == 0:
    os.execvp(sys.argv[3], sys.argv[3:])
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
typing = [0]
while True:
    ready, _, _ = select.select([terminal] + typing, [], [])
    if 0 in ready:
        keys = os.read(0, 1024)
        if keys:
            os.write(terminal, keys)
        else:
            typing = []
        continue
    try:
        data = os.read(terminal, 65536)
    except OSError:
        break
    if not data:
        break
    os.write(1, data)
code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
sys.exit(code if code >= 0 else 128 - code)
`;

interface OnTerminal extends Circumstances {
  readonly columns?: number;
  readonly rows?: number;
}

export function startOnTerminal(args: readonly string[], circumstances: OnTerminal = {}): Running {
  return showOnTerminal([process.execPath, program, ...args], circumstances);
}

export function startScriptOnTerminal(script: string, circumstances: OnTerminal = {}): Running {
  return showOnTerminal(["bash", "-e", "-c", script], circumstances);
}

function showOnTerminal(
  command: readonly string[],
  { columns = 100, rows = 30, ...circumstances }: OnTerminal,
): Running {
  return watch(
    spawn("python3", ["-c", terminalScript, String(columns), String(rows), ...command], {
      env: { TERM: "xterm-256color", ...environment(circumstances) },
      cwd: circumstances.cwd,
      stdio: ["pipe", "pipe", "pipe"],
    }),
    (child) => child.stdin?.write("\u0003"),
  );
}

function watch(child: ChildProcess, interrupt: (child: ChildProcess) => void, stdin?: string): Running {
  let [stdout, stderr] = ["", ""];
  const waiting = new Set<() => void>();
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
    for (const check of waiting) check();
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
    for (const check of waiting) check();
  });
  child.stdin?.on("error", () => {}); // It may end before it has read everything.
  if (stdin !== undefined) child.stdin?.end(stdin);
  const ended = new Promise<Ran>((resolve) => {
    child.on("close", (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
  const printed = (text: string) =>
    new Promise<void>((resolve, reject) => {
      const check = () => {
        if (!stdout.includes(text) && !stderr.includes(text)) return;
        waiting.delete(check);
        resolve();
      };
      waiting.add(check);
      check();
      void ended.then(() => reject(new Error(`ended before it printed "${text}":\n${stdout}\n${stderr}`)));
    });
  return { child, ended, printed, interrupt: () => interrupt(child), soFar: () => stdout };
}
