import { type Environment, splitCommand } from "@baton/contract";
import type { GateName, Redactor, Verification, VerifiedCommand } from "@baton/kernel";
import { usualRedactor } from "../filter/filter.ts";
import type { Verifier, VerifyJob } from "../ports/outside.ts";
import { type AllowedWorkspaces, findWorkspace } from "./allowed-workspaces.ts";
import { defaultPulseLimits, defaultVerifyLimits, type PulseLimits, type VerifyLimits } from "./limits.ts";
import { Pulses, type TellPulses } from "./pulses.ts";
import { runCheck } from "./run-check.ts";
import { findSandbox, type NoSandbox } from "./sandbox/find-sandbox.ts";
import type { Sandbox } from "./sandbox/sandbox.ts";
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
  readonly pulses?: Partial<PulseLimits>;
  /** Any folder unless told: for a hub whose callers may do everything on its machine anyway. */
  readonly workspaces?: AllowedWorkspaces;
  /** Where git's own files lie while the hub looks; where temporary things are unless told. */
  readonly scratch?: string | undefined;
  /** The best that works here unless told. */
  readonly sandbox?: Sandbox | NoSandbox;
  /** Takes the secrets out of what commands print; the usual one unless told. */
  readonly redactor?: Redactor;
  /** What a command printed had to be withheld. */
  readonly onProblem?: (problem: Error) => void;
}

/** Everything that a look needs besides the job. */
export interface Looking {
  readonly limits: VerifyLimits;
  readonly pulses: PulseLimits;
  readonly workspaces: AllowedWorkspaces;
  readonly scratch: string | undefined;
  readonly redactor: Redactor;
  readonly onProblem: (problem: Error) => void;
}

/**
 * Runs the contract's commands in the folder where the work was done, and asks git what was changed there. A command that
 * cannot be run has not passed. The commands come from whoever submitted the task, and what they run from the agent: that
 * is why they run in allowed folders only, and in a sandbox (docs/reference/sandbox.md).
 */
export function commandVerifier(options: CommandVerifierOptions = {}): Verifier {
  const looking: Looking = {
    limits: { ...defaultVerifyLimits, ...options.limits },
    pulses: { ...defaultPulseLimits, ...options.pulses },
    workspaces: options.workspaces ?? "any",
    scratch: options.scratch,
    redactor: options.redactor ?? usualRedactor(),
    onProblem: options.onProblem ?? (() => {}),
  };
  const turns = new Turns(looking.limits.atOnce);
  let found = options.sandbox && Promise.resolve(options.sandbox);
  return {
    verify: (job, signal, tell) =>
      turns.take(async () => {
        found ??= findSandbox();
        return look(job, await found, looking, signal, tell);
      }),
  };
}

async function look(
  { environment, workspace: { path, repository, baseCommit }, changes: known }: VerifyJob,
  sandbox: Sandbox | NoSandbox,
  looking: Looking,
  signal: AbortSignal,
  tell: TellPulses = async () => {},
): Promise<Verification> {
  signal.throwIfAborted();
  const { limits, scratch } = looking;
  // Where the changes are known, the hub made the folder itself: it lies in none of those that are allowed.
  const found = await findWorkspace(path || repository, known ? "any" : looking.workspaces);
  if (!found.ok) return { commands: [], changes: undefined, unseen: found.reason };
  const { directory } = found;
  const endsAtMs = performance.now() + limits.totalMs;
  const commands: VerifiedCommand[] = [];
  let unseen: string | undefined;
  for (const [check, command] of commandsOf(environment)) {
    const leftMs = endsAtMs - performance.now();
    if (sandbox.kind === "none") unseen = `no sandbox works here, and one is required: ${sandbox.reason}`;
    else if (commands.length >= limits.commands)
      unseen = `${limits.commands} commands were run, and no more are`;
    else if (leftMs <= 0) unseen = `the ${limits.totalMs / 1_000} s for all commands are over`;
    if (unseen !== undefined || sandbox.kind === "none") break;
    const pulses = new Pulses(check, tell, looking.pulses);
    const own = { ...limits, timeoutMs: Math.min(limits.timeoutMs, leftMs) };
    const words = splitCommand(command);
    const spec = { check, words, directory, sandbox };
    commands.push(await runCheck(spec, { ...looking, limits: own }, pulses, signal));
  }
  const seen = known
    ? { changes: known }
    : await workspaceChanges(directory, baseCommit, { ...limits, endsAtMs, scratch }, signal);
  return { commands, ...seen, ...(unseen !== undefined && { unseen }) };
}

function commandsOf(environment: Environment | undefined) {
  if (!environment) return [];
  const checks = ["build", "typecheck", "lint", "tests", "security"] as const;
  return checks
    .map((check) => [check, commandOf[check](environment)] as const)
    .filter(([, command]) => command !== "");
}
