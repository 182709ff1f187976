import type { CheckName } from "@baton/contract";

export interface ExecOptions {
  /** Folder to run in; relative ones start at the workspace. The workspace unless stated. */
  readonly cwd?: string;
  /** Variables beside PATH, HOME, LANG and TMPDIR, which are all that a command gets otherwise. */
  readonly env?: Readonly<Record<string, string>>;
  /** Ends the command, and everything it started, after this long. */
  readonly timeoutMs?: number;
  /** What it reads from stdin; nothing unless stated. */
  readonly input?: string;
  /** What it shows; found by the contract's commands unless stated. `false` keeps it out of the evidence. */
  readonly evidence?: CheckName | "other" | false;
  /** How much of `stdout` is kept. */
  readonly stdoutBytes?: number;
}

/** How a command ended. */
export interface Exec {
  /** It exited with zero. */
  readonly ok: boolean;
  /** Undefined when a signal ended it, or it could not be started. */
  readonly exitCode: number | undefined;
  readonly timedOut: boolean;
  /** stdout and stderr as they came, the beginning and the end of them. */
  readonly output: string;
  /** stdout alone, up to `stdoutBytes`. */
  readonly stdout: string;
  readonly durationMs: number;
}
