import type { VerifiedCommand } from "@baton/kernel";
import { endLeftoverProcesses, newRunMark } from "../processes/leftover-processes.ts";
import { runCommand } from "../processes/run-command.ts";
import { findProgram } from "../processes/sandbox/find-program.ts";
import { withOwnFolder } from "../processes/sandbox/own-folder.ts";
import type { RunEnvironment, Sandbox } from "../processes/sandbox/sandbox.ts";
import type { VerifierContext } from "./command-verifier.ts";
import type { Pulses } from "./pulses.ts";
import { Transcript } from "./transcript.ts";

export interface CheckSpec {
  readonly check: VerifiedCommand["check"];
  /** Undefined when only a shell could split the command. */
  readonly words: readonly string[] | undefined;
  readonly environment: Omit<RunEnvironment, "own">;
  readonly sandbox: Sandbox;
}

const needsShell = "not run: it needs a shell; put it into a script, or quote literal characters";

/** Runs the command of one check in the sandbox and publishes its output. */
export async function runCheck(
  { check, words, environment, sandbox }: CheckSpec,
  { limits, redactor, onProblem }: VerifierContext,
  pulses: Pulses,
  signal: AbortSignal,
): Promise<VerifiedCommand> {
  const { directory } = environment;
  const ran = { check, sandbox: sandbox.kind, ...(sandbox.warning && { warning: sandbox.warning }) };
  const notRun = (output: string) => ({ ...ran, passed: false, exitCode: -1, output, durationMs: 0 });
  const [name, ...args] = words ?? [];
  if (name === undefined) return notRun(needsShell);
  const found = findProgram(name, directory);
  if (!found.ok) return notRun(`cannot start: ${found.reason}`);
  const transcript = new Transcript(redactor, limits.outputBytes, (line) => pulses.add(line));
  const startedMs = performance.now();
  const { exitCode, output, timedOut, flooded } = await withOwnFolder(async (own) => {
    const { file, args: all, env } = sandbox.enclose({ ...found, args }, { ...environment, own });
    const mark = newRunMark();
    const run = await runCommand(
      {
        ...{ file, args: all, directory, onlyEnv: { ...env, ...mark } },
        onOutput: (chunk, from) => transcript.take(chunk, from),
      },
      limits,
      signal,
    );
    if (sandbox.kind === "plain") await endLeftoverProcesses(mark);
    return run;
  });
  signal.throwIfAborted();
  transcript.end();
  await pulses.end();
  if (transcript.failure) onProblem(transcript.failure);
  const ending = timedOut
    ? `\nkilled after ${limits.timeoutMs / 1_000} s`
    : flooded
      ? `\nkilled because it printed more than ${limits.printedBytes} bytes`
      : "";
  return {
    ...ran,
    passed: exitCode === 0 && !timedOut && !flooded,
    exitCode: exitCode ?? -1,
    output: transcript.text() + output + ending,
    durationMs: Math.round(performance.now() - startedMs),
  };
}
