import { type ChildProcess, spawn } from "node:child_process";
import { accessSync } from "node:fs";

/**
 * Git as the hub uses it: with nobody's settings, hooks, filters or prompts. What a folder that an agent had says of
 * itself is not asked; whoever calls says with which directory, index and objects to work.
 */
export interface GitCall {
  readonly args: readonly string[];
  readonly directory?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** What it reads and prints is no text: a character stands for a byte. Names of files need not be text. */
  readonly isBytes?: boolean;
  /** Runs a second call that gets what the first one prints. Both have to succeed. */
  readonly into?: Omit<GitCall, "input" | "into">;
}

export type GitRun =
  | { readonly ok: true; readonly output: string }
  | {
      readonly ok: false;
      readonly code: number | undefined;
      readonly output: string;
      readonly reason: string;
      /** It printed more than it may; `output` is the beginning. */
      readonly isTooMuch?: boolean;
    };

export interface GitLimits {
  readonly timeoutMs: number;
  readonly outputBytes: number;
}

export const defaultGitLimits: GitLimits = { timeoutMs: 120_000, outputBytes: 33_554_432 };

const passedOn = ["PATH", "TMPDIR", "SystemRoot"];

function alone(): Record<string, string> {
  const env = Object.fromEntries(
    passedOn.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
  return { ...env, ...ownGitEnvironment, LC_ALL: "C" };
}

/**
 * The environment of every git that the hub runs. No settings of the system or of the hub's user; objects as they are, and
 * only those that are there. `GIT_ALLOW_PROTOCOL` names no protocol and overrides `protocol.*.allow` of a repository's own
 * configuration: without it a repository could have git fetch what is missing with a program (`ext::`).
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

/** Never throws for what git says; throws when the hub closes. */
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
      env: { ...alone(), ...call.env },
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
    const [gave, took] = await Promise.all([
      outcomeOf(first, 0, encoding, directory),
      outcomeOf(second, outputBytes, encoding, into.directory),
    ]);
    return gave.ok ? took : gave;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", end);
    end();
    signal.throwIfAborted();
  }
}

function ignore(): void {
  // It has ended before it read everything: what it says about that is told by how it ended.
}

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // It is gone already.
  }
}

/** With no bytes of output, somebody else reads it. */
function outcomeOf(
  child: ChildProcess,
  outputBytes: number,
  encoding: "latin1" | "utf8",
  directory = "/",
): Promise<GitRun> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    let said = "";
    if (outputBytes > 0) {
      child.stdout?.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes <= outputBytes) chunks.push(chunk);
      });
    }
    child.stderr?.on("data", (chunk: Buffer) => {
      if (said.length < longestReason) said += chunk.toString("utf8");
    });
    child.on("error", (error) =>
      resolve({ ok: false, code: undefined, output: "", reason: whyNotStarted(error, directory) }),
    );
    child.on("close", (code) => {
      const output = Buffer.concat(chunks).toString(encoding);
      if (code === 0 && bytes <= outputBytes) resolve({ ok: true, output });
      else {
        const tooMuch = bytes > outputBytes ? `git said more than ${outputBytes} bytes` : undefined;
        const isTooMuch = code === 0 && tooMuch !== undefined;
        resolve({
          ...{ ok: false, code: code ?? undefined, output, reason: tooMuch ?? reasonOf(said, code) },
          ...(isTooMuch && { isTooMuch }),
        });
      }
    });
  });
}

export const noGit = "git is not installed on the hub's machine, or is not on its PATH";

/** The system says the same of a program and of a folder that is not there. */
function whyNotStarted(error: Error, directory: string): string {
  if (!("code" in error) || error.code !== "ENOENT") return error.message;
  try {
    accessSync(directory);
    return noGit;
  } catch {
    return `there is no folder "${directory}"`;
  }
}

const longestReason = 2_000;

/** What git says, in one line. */
function reasonOf(said: string, code: number | null): string {
  const line = said
    .replaceAll(/^(fatal|error): /gm, "")
    .trim()
    .replaceAll(/\s*\n\s*/g, "; ");
  return line.slice(0, longestReason) || (code === null ? "git was ended" : `git ended with ${code}`);
}
