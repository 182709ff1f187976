import { realpath } from "node:fs/promises";
import { commandsOf, type Environment } from "@baton/contract";
import type { Redactor, Verification } from "@baton/kernel";
import pLimit from "p-limit";
import type { Verifier, VerifyJob } from "../ports/outside.ts";
import type { PublishPulses } from "../ports/pulse.ts";
import { type AllowedWorkspaces, findWorkspace, isWithin } from "../processes/allowed-workspaces.ts";
import { findSandbox, type NoSandbox } from "../processes/sandbox/find-sandbox.ts";
import type { Sandbox } from "../processes/sandbox/sandbox.ts";
import { defaultRedactor } from "../redaction/egress-filter.ts";
import { defaultPulseLimits, defaultVerifyLimits, type PulseLimits, type VerifyLimits } from "./limits.ts";
import { type PlannedCommand, runCommands } from "./run-commands.ts";
import { verifyCommit } from "./verify-commit.ts";
import { workspaceChanges } from "./workspace-changes.ts";

export interface CommandVerifierOptions {
  readonly limits?: Partial<VerifyLimits>;
  readonly pulses?: Partial<PulseLimits>;
  /** Default: any folder, for hubs whose callers have full access to the machine. */
  readonly workspaces?: AllowedWorkspaces;
  /** Folders of the hub, which are never workspaces. */
  readonly closed?: readonly string[];
  /** Parent of temporary git directories. Default: the system's folder for temporary files. */
  readonly scratch?: string | undefined;
  /** Default: the best available sandbox, or none. */
  readonly sandbox?: Sandbox | NoSandbox;
  /** Redacts output of commands. Default: the default redactor. */
  readonly redactor?: Redactor;
  /** Called when the output of a command is withheld. */
  readonly onProblem?: (problem: Error) => void;
}

/** Dependencies of a verification besides its job. */
export interface VerifierContext {
  readonly limits: VerifyLimits;
  readonly pulses: PulseLimits;
  readonly workspaces: AllowedWorkspaces;
  readonly scratch: string | undefined;
  readonly closed: readonly string[];
  readonly redactor: Redactor;
  readonly onProblem: (problem: Error) => void;
}

/**
 * Runs the contract's commands on the commit, or in the shared folder, and reads the changes from git. A command that
 * cannot run has failed. The submitter controls the commands and the agent the files they run, so they run only in
 * allowed folders and in a sandbox (docs/reference/sandbox.md).
 */
export function commandVerifier(options: CommandVerifierOptions = {}): Verifier {
  const context: VerifierContext = {
    limits: { ...defaultVerifyLimits, ...options.limits },
    pulses: { ...defaultPulseLimits, ...options.pulses },
    workspaces: options.workspaces ?? "any",
    scratch: options.scratch,
    closed: options.closed ?? [],
    redactor: options.redactor ?? defaultRedactor(),
    onProblem: options.onProblem ?? (() => {}),
  };
  const limit = pLimit(context.limits.maxConcurrent);
  let found = options.sandbox && Promise.resolve(options.sandbox);
  return {
    verify: (job, signal, publish) =>
      limit(async () => {
        found ??= findSandbox("any");
        return verify(job, await found, context, signal, publish);
      }),
  };
}

type Job = Omit<VerifyJob, "dispatchId">;

/** A shared folder is verified in place, a commit in a checkout of its own. */
async function verify(
  { environment, testsToRun, workspace, kept: work }: Job,
  sandbox: Sandbox | NoSandbox,
  context: VerifierContext,
  signal: AbortSignal,
  publish: PublishPulses = async () => {},
): Promise<Verification> {
  signal.throwIfAborted();
  const run = { wanted: planCommands(environment, testsToRun), sandbox, context, signal, publish };
  const endsAtMs = performance.now() + context.limits.totalMs;
  if (work) return { changes: work.changes, ...(await verifyCommit(work, run, endsAtMs)) };
  const { path, repository, baseCommit } = workspace;
  const found = await findWorkspace(path || repository, context.workspaces);
  if (!found.ok) return { commands: [], changes: undefined, unseen: found.reason };
  const { directory } = found;
  for (const folder of context.closed) {
    const closed = await realpath(folder).catch(() => folder);
    if (isWithin(directory, closed))
      return { commands: [], changes: undefined, unseen: "the workspace is in a folder of the hub" };
  }
  const ran = await runCommands({ directory }, run, endsAtMs);
  const { limits, scratch } = context;
  const seen = await workspaceChanges(directory, baseCommit, { ...limits, endsAtMs, scratch }, signal);
  return { ...ran, ...seen };
}

/** Additional tests follow the test command; a repeated test command runs once. */
function planCommands(
  environment: Environment | undefined,
  testsToRun: readonly string[] = [],
): readonly PlannedCommand[] {
  const named = commandsOf(environment).map(([check, command]) => ({ check, command, isListed: false }));
  const known = named.find(({ check }) => check === "tests")?.command;
  const listed = testsToRun
    .filter((command) => command !== known)
    .map((command) => ({ check: "tests", command, isListed: true }) as const);
  const end = named.findIndex(({ check }) => check === "security");
  return end === -1 ? [...named, ...listed] : named.toSpliced(end, 0, ...listed);
}
