import { splitCommand } from "@baton/contract";
import type { Verification, VerifiedCommand } from "@baton/kernel";
import type { PublishPulses } from "../ports/pulse.ts";
import type { NoSandbox } from "../processes/sandbox/find-sandbox.ts";
import type { RunEnvironment, Sandbox } from "../processes/sandbox/sandbox.ts";
import type { VerifierContext } from "./command-verifier.ts";
import { Pulses } from "./pulses.ts";
import { runCheck } from "./run-check.ts";

export interface PlannedCommand {
  readonly check: VerifiedCommand["check"];
  readonly command: string;
  /** An additional test of the contract, not the command of a check. */
  readonly isListed: boolean;
}

export interface CommandsRun {
  readonly wanted: readonly PlannedCommand[];
  readonly sandbox: Sandbox | NoSandbox;
  readonly context: VerifierContext;
  readonly signal: AbortSignal;
  readonly publish: PublishPulses;
}

/** Runs the commands in order until the total timeout. */
export async function runCommands(
  environment: Omit<RunEnvironment, "own">,
  { wanted, sandbox, context, signal, publish }: CommandsRun,
  endsAtMs: number,
): Promise<Pick<Verification, "commands" | "unseen">> {
  const { limits } = context;
  const commands: VerifiedCommand[] = [];
  for (const { check, command, isListed } of wanted) {
    const leftMs = endsAtMs - performance.now();
    const stopped = (unseen: string) => ({ commands, unseen });
    if (sandbox.kind === "none")
      return stopped(`no sandbox is available, and one is required: ${sandbox.reason}`);
    if (commands.length >= limits.commands) return stopped(`only ${limits.commands} commands are run`);
    if (leftMs <= 0) return stopped(`all commands together took more than ${limits.totalMs / 1_000} s`);
    const pulses = new Pulses(check, publish, context.pulses);
    const commandLimits = { ...limits, timeoutMs: Math.min(limits.timeoutMs, leftMs) };
    const spec = { check, words: splitCommand(command), environment, sandbox };
    const ran = await runCheck(spec, { ...context, limits: commandLimits }, pulses, signal);
    commands.push(isListed ? { ...ran, command } : ran);
  }
  return { commands };
}
