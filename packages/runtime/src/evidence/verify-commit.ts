import type { Verification, VerifiedCommand } from "@baton/kernel";
import type { KeptCopy, KeptWork } from "../ports/outside.ts";
import { runBaseTests } from "./base-tests.ts";
import { provideDependencies } from "./dependencies.ts";
import { type CommandsRun, runCommands } from "./run-commands.ts";

/** Runs the commands in a temporary checkout of the commit. */
export async function verifyCommit(
  work: KeptWork,
  run: CommandsRun,
  endsAtMs: number,
): Promise<Pick<Verification, "commands" | "unseen" | "moved">> {
  if (run.wanted.length === 0) return { commands: [] };
  const copy = await work.copy();
  if (!copy.ok) return { commands: [], unseen: `the commit cannot be verified: ${copy.reason}` };
  try {
    const { directory, readable } = copy;
    const mounts = await provide(copy, run, endsAtMs);
    const { commands, unseen } = await runCommands({ directory, readable, mounts }, run, endsAtMs);
    const moved = await copy.differs();
    return {
      commands: await runBaseTests(work, await withHints(commands, copy), run, endsAtMs),
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

/** Adds files that the commit lacks to the output of failed commands. */
async function withHints(
  commands: readonly VerifiedCommand[],
  copy: KeptCopy,
): Promise<readonly VerifiedCommand[]> {
  if (commands.every(({ passed }) => passed)) return commands;
  const missing = await copy.lacks();
  if (missing.length === 0) return commands;
  const hint = `\nthe agent's workspace also had ${missing.join(", ")}, which git ignores, so that the verified commit lacks it; if a command needs it, add it to evidence.dependencies, or let a command create it`;
  return commands.map((command) =>
    command.passed ? command : { ...command, output: `${command.output.trimEnd()}${hint}` },
  );
}
