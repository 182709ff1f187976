import { type ChildProcess, spawn } from "node:child_process";
import { accessSync } from "node:fs";

/**
 * A git call without user settings, hooks, filters or prompts. Settings of the directory are not trusted; the caller
 * names git directory, index and objects.
 */
export interface GitCall {
  readonly args: readonly string[];
  readonly directory?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** Input and output are bytes, one character each (latin1): file names need not be UTF-8. */
  readonly isBytes?: boolean;
  /** Pipes the output into a second call. Both must succeed. */
  readonly into?: Omit<GitCall, "input" | "into">;
}

export type GitRun =
  | { readonly ok: true; readonly output: string }
  | {
      readonly ok: false;
      readonly code: number | undefined;
      readonly output: string;
      readonly reason: string;
      /** The output exceeded its limit; `output` is its beginning. */
      readonly isTooMuch?: boolean;
    };

export interface GitLimits {
  readonly timeoutMs: number;
  readonly outputBytes: number;
}

export const defaultGitLimits: GitLimits = { timeoutMs: 120_000, outputBytes: 33_554_432 };

const passedOn = ["PATH", "TMPDIR", "SystemRoot"];

function cleanEnvironment(): Record<string, string> {
  const env = Object.fromEntries(
    passedOn.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
  return { ...env, ...ownGitEnvironment, LC_ALL: "C" };
}

/**
 * Environment of every git process of the hub: no system or user settings, no replaced objects, no lazy fetch.
 * `GIT_ALLOW_PROTOCOL` overrides `protocol.*.allow` of the repository, which could otherwise run a program (`ext::`) to
 * fetch missing objects.
 */
export const ownGitEnvironment = {
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_ATTR_NOSYSTEM: "1",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_TERMINAL_PROMPT: "0",
  GIT_NO_LAZY_FETCH: "1",
  GIT_NO_REPLACE_OBJECTS: "1",
  GIT_ALLOW_PROTOCOL: "none",
};

export const ownGitArguments = Object.entries({
  "core.quotepath": "off",
  "core.hooksPath": "/dev/null",
  "core.fsmonitor": "false",
  "core.excludesFile": "/dev/null",
  "core.attributesFile": "/dev/null",
  "core.logAllRefUpdates": "false",
  "core.alternateRefsCommand": "true",
  "protocol.allow": "never",
  "gc.auto": "0",
  "maintenance.auto": "false",
  "advice.detachedHead": "false",
}).flatMap(([name, value]) => ["-c", `${name}=${value}`]);

/** Throws only when the signal has fired; failures of git are results. */
export async function git(
  { args, directory, env, input, isBytes = false, into }: GitCall,
  signal: AbortSignal,
  { timeoutMs, outputBytes }: GitLimits = defaultGitLimits,
): Promise<GitRun> {
  signal.throwIfAborted();
  const encoding = isBytes ? "latin1" : "utf8";
  const children: ChildProcess[] = [];
  const start = (call: Omit<GitCall, "input" | "into">) => {
    const child = spawn("git", [...ownGitArguments, ...call.args], {
      cwd: call.directory ?? "/",
      env: { ...cleanEnvironment(), ...call.env },
      detached: true,
      stdio: ["pipe", "pipe", "pipe"],
    });
    children.push(child);
    return child;
  };
  const end = () => {
    for (const { pid } of children) endGroup(pid);
  };
  const timer = setTimeout(end, timeoutMs);
  signal.addEventListener("abort", end, { once: true });
  try {
    const first = start({ args, ...(directory !== undefined && { directory }), ...(env && { env }) });
    first.stdin.on("error", ignore).end(input ?? "", encoding);
    if (!into) return await outcomeOf(first, outputBytes, encoding, directory);
    const second = start(into);
    second.stdin.on("error", ignore);
    first.stdout.pipe(second.stdin);
    const [source, sink] = await Promise.all([
      outcomeOf(first, 0, encoding, directory),
      outcomeOf(second, outputBytes, encoding, into.directory),
    ]);
    return source.ok ? sink : source;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", end);
    end();
    signal.throwIfAborted();
  }
}

function ignore(): void {
  // The exit code reports why it stopped reading.
}

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // The process has ended.
  }
}

/** With `outputBytes` 0, the next process reads the output. */
function outcomeOf(
  child: ChildProcess,
  outputBytes: number,
  encoding: "latin1" | "utf8",
  directory = "/",
): Promise<GitRun> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    let stderr = "";
    if (outputBytes > 0) {
      child.stdout?.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes <= outputBytes) chunks.push(chunk);
      });
    }
    child.stderr?.on("data", (chunk: Buffer) => {
      if (stderr.length < maxReasonLength) stderr += chunk.toString("utf8");
    });
    child.on("error", (error) =>
      resolve({ ok: false, code: undefined, output: "", reason: startFailure(error, directory) }),
    );
    child.on("close", (code) => {
      const output = Buffer.concat(chunks).toString(encoding);
      if (code === 0 && bytes <= outputBytes) resolve({ ok: true, output });
      else {
        const tooMuch = bytes > outputBytes ? `git printed more than ${outputBytes} bytes` : undefined;
        const isTooMuch = code === 0 && tooMuch !== undefined;
        resolve({
          ...{ ok: false, code: code ?? undefined, output, reason: tooMuch ?? reasonOf(stderr, code) },
          ...(isTooMuch && { isTooMuch }),
        });
      }
    });
  });
}

export const noGit = "git is not installed on the hub's machine, or is not on its PATH";

/** ENOENT means a missing program or a missing working directory. */
function startFailure(error: Error, directory: string): string {
  if (!("code" in error) || error.code !== "ENOENT") return error.message;
  try {
    accessSync(directory);
    return noGit;
  } catch {
    return `there is no folder "${directory}"`;
  }
}

const maxReasonLength = 2_000;

/** Git's message as one line. */
function reasonOf(stderr: string, code: number | null): string {
  const line = stderr
    .replaceAll(/^(fatal|error): /gm, "")
    .trim()
    .replaceAll(/\s*\n\s*/g, "; ");
  return line.slice(0, maxReasonLength) || (code === null ? "git was killed" : `git exited with ${code}`);
}
