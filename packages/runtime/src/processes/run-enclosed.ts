import { isAbsolute, join } from "node:path";
import { endLeftoverProcesses, newRunMark } from "./leftover-processes.ts";
import { type CommandLimits, type CommandRun, runCommand } from "./run-command.ts";
import { findProgram } from "./sandbox/find-program.ts";
import { withOwnFolder } from "./sandbox/own-folder.ts";
import type { Sandbox } from "./sandbox/sandbox.ts";

/** A program of the project that gets an empty folder of its own, so that it changes nothing of the project. */
export interface ProjectCommand {
  readonly run: readonly string[];
  /** The folder of the file that names it: readable, and what stands for `placeholder` in its arguments. */
  readonly folder?: string | undefined;
  readonly placeholder: string;
  readonly network?: boolean | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/** How to start it. */
export interface EnclosedProgram {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly directory: string;
}

/** A program that cannot be started. */
export class CannotStart extends Error {
  override readonly name = "CannotStart";
}

/** Gives `use` the program inside of the sandbox. Its folders are removed afterwards. Rejects with `CannotStart`. */
export function withEnclosed<Value>(
  sandbox: Sandbox,
  { run, folder, placeholder, network, env = {} }: ProjectCommand,
  use: (program: EnclosedProgram) => Promise<Value>,
): Promise<Value> {
  const [name = "", ...args] = run.map((word) => fill(word, placeholder, folder));
  return withOwnFolder(async ({ home: directory }) => {
    const found = findProgram(name, folder ?? directory);
    if (!found.ok) throw new CannotStart(`cannot start: ${found.reason}`);
    return withOwnFolder(async (own) => {
      const readable = folder === undefined ? [] : [folder];
      const {
        file,
        args: all,
        env: given,
      } = sandbox.enclose(
        { ...found, args },
        { directory, own, readable, ...(network !== undefined && { network }) },
      );
      const mark = newRunMark();
      try {
        return await use({ file, args: all, env: { ...given, ...env, ...mark }, directory });
      } finally {
        if (sandbox.kind === "plain") await endLeftoverProcesses(mark);
      }
    });
  });
}

/** Runs it with an input to its end. */
export function runEnclosed(
  sandbox: Sandbox,
  command: ProjectCommand,
  { input, limits, signal }: { input: string; limits: CommandLimits; signal: AbortSignal },
): Promise<CommandRun> {
  return withEnclosed(sandbox, command, ({ env: onlyEnv, ...program }) =>
    runCommand({ ...program, onlyEnv, input }, limits, signal),
  );
}

function fill(word: string, placeholder: string, folder: string | undefined): string {
  if (folder === undefined) return word;
  return word.replaceAll(placeholder, isAbsolute(folder) ? folder : join(process.cwd(), folder));
}
