import type { VerifiedCommand } from "@baton/kernel";
import type { Looking } from "./command-verifier.ts";
import type { Pulses } from "./pulses.ts";
import { runCommand } from "./run-command.ts";
import { findProgram } from "./sandbox/find-program.ts";
import { withOwnFolder } from "./sandbox/own-folder.ts";
import type { Place, Sandbox } from "./sandbox/sandbox.ts";
import { endStragglers, marked } from "./stragglers.ts";
import { Transcript } from "./transcript.ts";

export interface CheckSpec {
  readonly check: VerifiedCommand["check"];
  /** Undefined when only a shell could tell them apart. */
  readonly words: readonly string[] | undefined;
  readonly place: Omit<Place, "own">;
  readonly sandbox: Sandbox;
}

const needsShell =
  "not run: only a shell could, and none is asked; put it into a script, or quote what is meant as it stands";

/** Runs the command of one check in the sandbox, and tells what it prints while it runs. */
export async function runCheck(
  { check, words, place, sandbox }: CheckSpec,
  { limits, redactor, onProblem }: Looking,
  pulses: Pulses,
  signal: AbortSignal,
): Promise<VerifiedCommand> {
  const { directory } = place;
  const ran = { check, sandbox: sandbox.kind, ...(sandbox.warning && { warning: sandbox.warning }) };
  const notRun = (output: string) => ({ ...ran, passed: false, exitCode: -1, output, durationMs: 0 });
  const [name, ...args] = words ?? [];
  if (name === undefined) return notRun(needsShell);
  const found = findProgram(name, directory);
  if (!found.ok) return notRun(`cannot be started: ${found.reason}`);
  const transcript = new Transcript(redactor, limits.outputBytes, (line) => pulses.add(line));
  const startedMs = performance.now();
  const { exitCode, output, timedOut, flooded } = await withOwnFolder(async (own) => {
    const { file, args: all, env } = sandbox.enclose({ ...found, args }, { ...place, own });
    const mark = marked();
    const run = await runCommand(
      {
        ...{ file, args: all, directory, onlyEnv: { ...env, ...mark } },
        onOutput: (chunk, from) => transcript.take(chunk, from),
      },
      limits,
      signal,
    );
    if (sandbox.kind === "plain") await endStragglers(mark);
    return run;
  });
  signal.throwIfAborted();
  transcript.end();
  await pulses.end();
  if (transcript.failure) onProblem(transcript.failure);
  const ending = timedOut
    ? `\nended after ${limits.timeoutMs / 1_000} s`
    : flooded
      ? `\nended because it printed more than ${limits.printedBytes} bytes`
      : "";
  return {
    ...ran,
    passed: exitCode === 0 && !timedOut && !flooded,
    exitCode: exitCode ?? -1,
    output: transcript.text() + output + ending,
    durationMs: Math.round(performance.now() - startedMs),
  };
}
