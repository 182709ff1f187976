import { type Environment, splitCommand } from "@baton/contract";
import type { GateName, Verification, VerifiedCommand } from "@baton/kernel";
import type { Verifier, VerifyJob } from "../ports/outside.ts";
import { type AllowedWorkspaces, findWorkspace } from "./allowed-workspaces.ts";
import { defaultVerifyLimits, type VerifyLimits } from "./limits.ts";
import { runCommand } from "./run-command.ts";
import { Turns } from "./turns.ts";
import { workspaceChanges } from "./workspace-changes.ts";

const commandOf: Readonly<Record<Exclude<GateName, "scope">, (environment: Environment) => string>> = {
  build: ({ buildCommand }) => buildCommand,
  typecheck: ({ typecheckCommand }) => typecheckCommand,
  lint: ({ lintCommand }) => lintCommand,
  tests: ({ testCommand }) => testCommand,
  security: ({ securityCommand }) => securityCommand,
};

export interface CommandVerifierOptions {
  readonly limits?: Partial<VerifyLimits>;
  /** Any folder unless told: for a hub whose callers may do everything on its machine anyway. */
  readonly workspaces?: AllowedWorkspaces;
}

/**
 * Runs the contract's commands in the folder where the work was done, and asks git what was changed there. A command that
 * cannot be run has not passed. The commands come from whoever submitted the task, not from the agent, and run as the
 * hub's own user: that is why they run in allowed folders only.
 */
export function commandVerifier({ limits, workspaces = "any" }: CommandVerifierOptions = {}): Verifier {
  const bounds = { ...defaultVerifyLimits, ...limits };
  const turns = new Turns(bounds.atOnce);
  return { verify: (job, signal) => turns.take(() => look(job, workspaces, bounds, signal)) };
}

async function look(
  { environment, workspace: { path, repository, baseCommit } }: VerifyJob,
  workspaces: AllowedWorkspaces,
  limits: VerifyLimits,
  signal: AbortSignal,
): Promise<Verification> {
  signal.throwIfAborted();
  const found = await findWorkspace(path || repository, workspaces);
  if (!found.ok) return { commands: [], changes: undefined, unseen: found.reason };
  const { directory } = found;
  const endsAtMs = performance.now() + limits.totalMs;
  const commands: VerifiedCommand[] = [];
  let unseen: string | undefined;
  for (const [check, command] of commandsOf(environment)) {
    const leftMs = endsAtMs - performance.now();
    if (commands.length >= limits.commands) unseen = `${limits.commands} commands were run, and no more are`;
    else if (leftMs <= 0) unseen = `the ${limits.totalMs / 1_000} s for all commands are over`;
    if (unseen !== undefined) break;
    const own = { ...limits, timeoutMs: Math.min(limits.timeoutMs, leftMs) };
    commands.push(await runCheck(check, command, directory, own, signal));
  }
  const changes = await workspaceChanges(directory, baseCommit, { ...limits, endsAtMs }, signal);
  return { commands, changes, ...(unseen !== undefined && { unseen }) };
}

function commandsOf(environment: Environment | undefined) {
  if (!environment) return [];
  const checks = ["build", "typecheck", "lint", "tests", "security"] as const;
  return checks
    .map((check) => [check, commandOf[check](environment)] as const)
    .filter(([, command]) => command !== "");
}

const needsShell =
  "not run: only a shell could, and none is asked; put it into a script, or quote what is meant as it stands";

async function runCheck(
  check: VerifiedCommand["check"],
  command: string,
  directory: string,
  limits: VerifyLimits,
  signal: AbortSignal,
): Promise<VerifiedCommand> {
  const [file, ...args] = splitCommand(command) ?? [];
  if (file === undefined) return { check, passed: false, exitCode: -1, output: needsShell };
  const { exitCode, output, timedOut } = await runCommand({ file, args, directory }, limits, signal);
  signal.throwIfAborted();
  const ending = timedOut ? `\nended after ${limits.timeoutMs / 1_000} s` : "";
  return { check, passed: exitCode === 0, exitCode: exitCode ?? -1, output: output + ending };
}
