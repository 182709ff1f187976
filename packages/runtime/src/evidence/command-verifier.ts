import { stat } from "node:fs/promises";
import { type Environment, splitCommand } from "@baton/contract";
import type { GateName, VerifiedCommand } from "@baton/kernel";
import type { Verifier } from "../ports/outside.ts";
import { type CommandLimits, runCommand } from "./run-command.ts";
import { workspaceChanges } from "./workspace-changes.ts";

export const defaultVerifyLimits: CommandLimits = { timeoutMs: 600_000, outputBytes: 65_536 };

const commandOf: Readonly<Record<Exclude<GateName, "scope">, (environment: Environment) => string>> = {
  tests: ({ testCommand }) => testCommand,
  lint: ({ lintCommand }) => lintCommand,
  typecheck: ({ typecheckCommand }) => typecheckCommand,
  build: ({ buildCommand }) => buildCommand,
  security: ({ securityCommand }) => securityCommand,
};

/**
 * Runs the contract's commands in the folder where the work was done, and asks git what was changed there. A command that
 * cannot be run has not passed. The commands come from whoever submitted the task, not from the agent.
 */
export function commandVerifier(limits: CommandLimits = defaultVerifyLimits): Verifier {
  return {
    async verify({ environment, workspace: { path, repository, baseCommit } }, signal) {
      const directory = path || repository;
      if (!(await isDirectory(directory))) return { commands: [], changes: undefined };
      const commands: VerifiedCommand[] = [];
      for (const check of ["build", "typecheck", "lint", "tests", "security"] as const) {
        const command = environment ? commandOf[check](environment) : "";
        if (command !== "") commands.push(await runCheck(check, command, directory, limits, signal));
      }
      return { commands, changes: await workspaceChanges(directory, baseCommit, signal) };
    },
  };
}

const needsShell =
  "not run: only a shell could, and none is asked; put it into a script, or quote what is meant as it stands";

async function runCheck(
  check: VerifiedCommand["check"],
  command: string,
  directory: string,
  limits: CommandLimits,
  signal: AbortSignal,
): Promise<VerifiedCommand> {
  const [file, ...args] = splitCommand(command) ?? [];
  if (file === undefined) return { check, passed: false, exitCode: -1, output: needsShell };
  const { exitCode, output, timedOut } = await runCommand({ file, args, directory }, limits, signal);
  signal.throwIfAborted();
  const ending = timedOut ? `\nended after ${limits.timeoutMs / 1_000} s` : "";
  return { check, passed: exitCode === 0, exitCode: exitCode ?? -1, output: output + ending };
}

async function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
