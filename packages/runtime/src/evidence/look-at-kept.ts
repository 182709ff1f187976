import type { Verification, VerifiedCommand } from "@baton/kernel";
import type { KeptCopy, KeptWork } from "../ports/outside.ts";
import { runBaseTests } from "./base-tests.ts";
import { provideDependencies } from "./dependencies.ts";
import { type CommandsRun, runCommands } from "./run-commands.ts";

/** Runs the commands in a copy of what was kept, which is gone afterwards with all that they left there. */
export async function lookAtKept(
  kept: KeptWork,
  run: CommandsRun,
  endsAtMs: number,
): Promise<Pick<Verification, "commands" | "unseen" | "moved">> {
  if (run.wanted.length === 0) return { commands: [] };
  const copy = await kept.copy();
  if (!copy.ok) return { commands: [], unseen: `what was kept cannot be checked: ${copy.reason}` };
  try {
    const { directory, readable } = copy;
    const shown = await provide(copy, run, endsAtMs);
    const { commands, unseen } = await runCommands({ directory, readable, shown }, run, endsAtMs);
    const moved = await copy.differs();
    return {
      commands: await runBaseTests(kept, await withHints(commands, copy), run, endsAtMs),
      ...(unseen !== undefined && { unseen }),
      ...(moved !== undefined && { moved }),
    };
  } finally {
    await copy.close();
  }
}

async function provide({ dependencies }: KeptCopy, { sandbox, signal }: CommandsRun, endsAtMs: number) {
  if (sandbox.kind === "none") return [];
  return provideDependencies(dependencies, sandbox, Math.max(1, endsAtMs - performance.now()), signal);
}

/** Whoever reads why a command failed also reads what it may have missed. */
async function withHints(
  commands: readonly VerifiedCommand[],
  copy: KeptCopy,
): Promise<readonly VerifiedCommand[]> {
  if (commands.every(({ passed }) => passed)) return commands;
  const missing = await copy.lacks();
  if (missing.length === 0) return commands;
  const hint = `\nthe agent's place also had ${missing.join(", ")}, which git ignores, so that the commit that was checked has none of it; where a command needs it, name it in evidence.dependencies, or let a command make it`;
  return commands.map((command) =>
    command.passed ? command : { ...command, output: `${command.output.trimEnd()}${hint}` },
  );
}
