import { spawn } from "node:child_process";

export interface CommandLimits {
  readonly timeoutMs: number;
  /** Of output that is kept: half from the beginning, half from the end. */
  readonly outputBytes: number;
}

export interface CommandRun {
  /** Undefined when it did not end by itself. */
  readonly exitCode: number | undefined;
  readonly output: string;
  /** Some of the output was left out. */
  readonly isCut: boolean;
  readonly timedOut: boolean;
}

export interface CommandSpec {
  readonly file: string;
  readonly args: readonly string[];
  readonly directory: string;
  /** Besides what every program gets. */
  readonly env?: Readonly<Record<string, string>>;
  /** Takes what it prints to its standard output as it comes; then only what it says of errors is kept. */
  readonly onStdout?: (chunk: Buffer) => void;
}

/** What a program gets to know of the hub's surroundings: enough to be found and to run, and no secret. */
const passedOn = ["PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "TZ"];

/** How long output is waited for when the program itself has ended. */
const lateOutputMs = 500;

/** Runs a program as a group of its own that ends with it, and keeps what it prints. */
export function runCommand(
  { file, args, directory, env: own, onStdout }: CommandSpec,
  { timeoutMs, outputBytes }: CommandLimits,
  signal: AbortSignal,
): Promise<CommandRun> {
  return new Promise((resolve) => {
    const output = new BoundedOutput(outputBytes);
    const env = Object.fromEntries(
      passedOn.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])),
    );
    const child = spawn(file, args, {
      cwd: directory,
      env: { ...env, ...own },
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let timedOut = false;
    const endGroup = () => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
      } catch {
        // It is gone already.
      }
    };
    const timer = setTimeout(() => {
      timedOut = true;
      endGroup();
    }, timeoutMs);
    signal.addEventListener("abort", endGroup, { once: true });
    let late: NodeJS.Timeout | undefined;
    const finish = (exitCode: number | undefined) => {
      clearTimeout(timer);
      clearTimeout(late);
      signal.removeEventListener("abort", endGroup);
      endGroup(); // What it left running must not outlive it.
      resolve({ exitCode, output: output.text(), isCut: output.isCut, timedOut });
    };
    child.stdout.on("data", onStdout ?? ((chunk: Buffer) => output.add(chunk)));
    child.stderr.on("data", (chunk: Buffer) => output.add(chunk));
    child.on("error", (error) => {
      output.add(Buffer.from(error.message));
      finish(undefined);
    });
    // What it has printed is read to its end. A grandchild may hold the pipes open: that is not waited for.
    child.on("close", (code) => finish(code ?? undefined));
    child.on("exit", (code) => {
      late = setTimeout(() => finish(code ?? undefined), lateOutputMs);
    });
  });
}

/** Keeps the beginning and the end: what is wrong is told in one of them. */
class BoundedOutput {
  readonly #half: number;
  #head = Buffer.alloc(0);
  #tail = Buffer.alloc(0);
  #dropped = 0;

  constructor(bytes: number) {
    this.#half = bytes >> 1;
  }

  add(chunk: Buffer): void {
    const room = Math.max(0, this.#half - this.#head.length);
    if (room > 0) this.#head = Buffer.concat([this.#head, chunk.subarray(0, room)]);
    const rest = Buffer.concat([this.#tail, chunk.subarray(room)]);
    const over = Math.max(0, rest.length - this.#half);
    this.#dropped += over;
    this.#tail = rest.subarray(over);
  }

  get isCut(): boolean {
    return this.#dropped > 0;
  }

  text(): string {
    const gap = this.#dropped > 0 ? `\n… ${this.#dropped} bytes left out …\n` : "";
    return this.#head.toString("utf8") + gap + this.#tail.toString("utf8");
  }
}
