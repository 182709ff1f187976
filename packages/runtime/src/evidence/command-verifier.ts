import { realpath } from "node:fs/promises";
import { commandsOf, type Environment } from "@baton/contract";
import type { Redactor, Verification } from "@baton/kernel";
import { usualRedactor } from "../filter/filter.ts";
import type { Verifier, VerifyJob } from "../ports/outside.ts";
import { type AllowedWorkspaces, findWorkspace, isWithin } from "./allowed-workspaces.ts";
import { defaultPulseLimits, defaultVerifyLimits, type PulseLimits, type VerifyLimits } from "./limits.ts";
import { lookAtKept } from "./look-at-kept.ts";
import type { TellPulses } from "./pulses.ts";
import { runCommands, type WantedCommand } from "./run-commands.ts";
import { findSandbox, type NoSandbox } from "./sandbox/find-sandbox.ts";
import type { Sandbox } from "./sandbox/sandbox.ts";
import { Turns } from "./turns.ts";
import { workspaceChanges } from "./workspace-changes.ts";

export interface CommandVerifierOptions {
  readonly limits?: Partial<VerifyLimits>;
  readonly pulses?: Partial<PulseLimits>;
  /** Any folder unless told: for a hub whose callers may do everything on its machine anyway. */
  readonly workspaces?: AllowedWorkspaces;
  /** Folders of the hub's own: what lies there is nobody's workspace. */
  readonly closed?: readonly string[];
  /** Where git's own files lie while the hub looks; where temporary things are unless told. */
  readonly scratch?: string | undefined;
  /** Default: the best that works here, and none where none does. A hub for others names what it demands. */
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
  readonly closed: readonly string[];
  readonly redactor: Redactor;
  readonly onProblem: (problem: Error) => void;
}

/**
 * Runs the contract's commands on what was kept of the work, or in the folder where it was done, and asks git what was
 * changed there. A command that cannot be run has not passed. The commands come from whoever submitted the task, and what they run from the agent: that
 * is why they run in allowed folders only, and in a sandbox (docs/reference/sandbox.md).
 */
export function commandVerifier(options: CommandVerifierOptions = {}): Verifier {
  const looking: Looking = {
    limits: { ...defaultVerifyLimits, ...options.limits },
    pulses: { ...defaultPulseLimits, ...options.pulses },
    workspaces: options.workspaces ?? "any",
    scratch: options.scratch,
    closed: options.closed ?? [],
    redactor: options.redactor ?? usualRedactor(),
    onProblem: options.onProblem ?? (() => {}),
  };
  const turns = new Turns(looking.limits.atOnce);
  let found = options.sandbox && Promise.resolve(options.sandbox);
  return {
    verify: (job, signal, tell) =>
      turns.take(async () => {
        found ??= findSandbox("any");
        return look(job, await found, looking, signal, tell);
      }),
  };
}

type Look = Omit<VerifyJob, "dispatchId">;

/** A folder that agents share is looked at as it stands; what was kept, in a copy of its own. */
async function look(
  { environment, testsToRun, workspace, kept }: Look,
  sandbox: Sandbox | NoSandbox,
  looking: Looking,
  signal: AbortSignal,
  tell: TellPulses = async () => {},
): Promise<Verification> {
  signal.throwIfAborted();
  const run = { wanted: wantedCommands(environment, testsToRun), sandbox, looking, signal, tell };
  const endsAtMs = performance.now() + looking.limits.totalMs;
  if (kept) return { changes: kept.changes, ...(await lookAtKept(kept, run, endsAtMs)) };
  const { path, repository, baseCommit } = workspace;
  const found = await findWorkspace(path || repository, looking.workspaces);
  if (!found.ok) return { commands: [], changes: undefined, unseen: found.reason };
  const { directory } = found;
  for (const folder of looking.closed) {
    const closed = await realpath(folder).catch(() => folder);
    if (isWithin(directory, closed))
      return { commands: [], changes: undefined, unseen: "the workspace lies in a folder of the hub's own" };
  }
  const ran = await runCommands({ directory }, run, endsAtMs);
  const { limits, scratch } = looking;
  const seen = await workspaceChanges(directory, baseCommit, { ...limits, endsAtMs, scratch }, signal);
  return { ...ran, ...seen };
}

/** Tests to run come after the test command; one that is the test command is run once. */
function wantedCommands(
  environment: Environment | undefined,
  testsToRun: readonly string[] = [],
): readonly WantedCommand[] {
  const named = commandsOf(environment).map(([check, command]) => ({ check, command, isListed: false }));
  const known = named.find(({ check }) => check === "tests")?.command;
  const listed = testsToRun
    .filter((command) => command !== known)
    .map((command) => ({ check: "tests", command, isListed: true }) as const);
  const end = named.findIndex(({ check }) => check === "security");
  return end === -1 ? [...named, ...listed] : named.toSpliced(end, 0, ...listed);
}
