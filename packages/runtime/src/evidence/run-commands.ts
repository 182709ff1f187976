import { splitCommand } from "@baton/contract";
import type { Verification, VerifiedCommand } from "@baton/kernel";
import type { Looking } from "./command-verifier.ts";
import { Pulses, type TellPulses } from "./pulses.ts";
import { runCheck } from "./run-check.ts";
import type { NoSandbox } from "./sandbox/find-sandbox.ts";
import type { Place, Sandbox } from "./sandbox/sandbox.ts";

export interface WantedCommand {
  readonly check: VerifiedCommand["check"];
  readonly command: string;
  /** One of the contract's tests to run, and not the command of the check itself. */
  readonly isListed: boolean;
}

export interface CommandsRun {
  readonly wanted: readonly WantedCommand[];
  readonly sandbox: Sandbox | NoSandbox;
  readonly looking: Looking;
  readonly signal: AbortSignal;
  readonly tell: TellPulses;
}

/** One after another, in the order in which they build on each other, until the time for all of them is over. */
export async function runCommands(
  place: Omit<Place, "own">,
  { wanted, sandbox, looking, signal, tell }: CommandsRun,
  endsAtMs: number,
): Promise<Pick<Verification, "commands" | "unseen">> {
  const { limits } = looking;
  const commands: VerifiedCommand[] = [];
  for (const { check, command, isListed } of wanted) {
    const leftMs = endsAtMs - performance.now();
    const because = (unseen: string) => ({ commands, unseen });
    if (sandbox.kind === "none")
      return because(`no sandbox works here, and one is required: ${sandbox.reason}`);
    if (commands.length >= limits.commands)
      return because(`${limits.commands} commands were run, and no more are`);
    if (leftMs <= 0) return because(`the ${limits.totalMs / 1_000} s for all commands are over`);
    const pulses = new Pulses(check, tell, looking.pulses);
    const own = { ...limits, timeoutMs: Math.min(limits.timeoutMs, leftMs) };
    const spec = { check, words: splitCommand(command), place, sandbox };
    const ran = await runCheck(spec, { ...looking, limits: own }, pulses, signal);
    commands.push(isListed ? { ...ran, command } : ran);
  }
  return { commands };
}
