import { statSync } from "node:fs";
import { resolve } from "node:path";
import { AgentError } from "../agent-error.ts";
import type { ExecOptions } from "../api/task.ts";
import { limits, longestTimerMs } from "../limits.ts";
import { type ProcessEnd, runProcess } from "./run-process.ts";

/** The only variables that a command inherits from the agent. */
const inherited = ["PATH", "HOME", "LANG", "TMPDIR"];

export interface ExecContext {
  readonly workspace: string | undefined;
  readonly signal: AbortSignal;
}

export async function execIn(
  context: ExecContext,
  command: string,
  args: readonly string[],
  options: ExecOptions,
): Promise<ProcessEnd> {
  const cwd = folderFor(context, options);
  const timeoutMs = options.timeoutMs ?? limits.execMs;
  if (!(timeoutMs > 0)) {
    throw new AgentError("BATON-SDK-016", "timeoutMs must be greater than zero", { at: command });
  }
  return runProcess({
    command,
    args,
    cwd,
    env: { ...inheritedVariables(), ...options.env },
    input: options.input,
    timeoutMs: Math.min(timeoutMs, longestTimerMs),
    stdoutBytes: Math.max(0, options.stdoutBytes ?? limits.stdoutBytes),
    signal: context.signal,
  });
}

/** Node reports a missing folder as a missing program, so the folder is checked first. */
function folderFor({ workspace }: ExecContext, { cwd }: ExecOptions): string {
  const folder = resolve(workspace ?? "", cwd ?? "");
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found?.isDirectory()) return folder;
  const source = cwd === undefined ? "workspace.path" : "cwd";
  throw new AgentError("BATON-SDK-016", `folder ${folder} does not exist`, { at: source });
}

function inheritedVariables(): Record<string, string> {
  return Object.fromEntries(
    inherited.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
