import { statSync } from "node:fs";
import { resolve } from "node:path";
import { AgentError } from "../agent-error.ts";
import { limits, longestTimerMs } from "../limits.ts";
import type { ExecOptions } from "./exec-options.ts";
import { type ProcessEnd, runProcess } from "./run-process.ts";

/** The variables that every command gets; whatever else the agent's process holds stays with it. */
const passedOn = ["PATH", "HOME", "LANG", "TMPDIR"];

export interface Place {
  readonly workspace: string | undefined;
  readonly signal: AbortSignal;
}

export async function execIn(
  place: Place,
  command: string,
  args: readonly string[],
  options: ExecOptions,
): Promise<ProcessEnd> {
  const cwd = folderFor(place, options);
  const timeoutMs = options.timeoutMs ?? limits.execMs;
  if (!(timeoutMs > 0)) {
    throw new AgentError("BATON-SDK-016", "timeoutMs must be more than zero", { at: command });
  }
  return runProcess({
    command,
    args,
    cwd,
    env: { ...ownVariables(), ...options.env },
    input: options.input,
    timeoutMs: Math.min(timeoutMs, longestTimerMs),
    stdoutBytes: Math.max(0, options.stdoutBytes ?? limits.stdoutBytes),
    signal: place.signal,
  });
}

/** Node reports a folder that is not there as a program that is not there; so the folder is looked at first. */
function folderFor({ workspace }: Place, { cwd }: ExecOptions): string {
  const folder = resolve(workspace ?? "", cwd ?? "");
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found?.isDirectory()) return folder;
  const source = cwd === undefined ? "workspace.path" : "cwd";
  throw new AgentError("BATON-SDK-016", `there is no folder ${folder}`, { at: source });
}

function ownVariables(): Record<string, string> {
  return Object.fromEntries(
    passedOn.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
