import { isAbsolute, join } from "node:path";
import type { GuardrailCheck } from "@baton/kernel";
import pLimit from "p-limit";
import { endLeftoverProcesses, newRunMark } from "../processes/leftover-processes.ts";
import { runCommand } from "../processes/run-command.ts";
import { findProgram } from "../processes/sandbox/find-program.ts";
import { findSandbox, type NoSandbox } from "../processes/sandbox/find-sandbox.ts";
import { withOwnFolder } from "../processes/sandbox/own-folder.ts";
import type { Sandbox } from "../processes/sandbox/sandbox.ts";

export interface GuardCommandOptions {
  /** Default: the best available sandbox, or none. */
  readonly sandbox?: Sandbox | NoSandbox | undefined;
  /** Stands for `{config}` in arguments, and is readable. */
  readonly folder?: string | undefined;
}

/** Runs one command with an answer on its standard input. `failed`: it could not decide. */
export type RunGuard = (
  check: Extract<GuardrailCheck, { kind: "command" }>,
  input: string,
  signal: AbortSignal,
) => Promise<
  { readonly ok: true } | { readonly ok: false; readonly failed: boolean; readonly reason: string }
>;

const maxConcurrent = 4;

const outputLimits = { outputBytes: 2_048, printedBytes: 1_048_576 } as const;

/** Exit code 0 passes, 1 blocks with what it printed, and anything else is a fault of the guardrail. */
export function guardCommands({ sandbox: given, folder }: GuardCommandOptions = {}): RunGuard {
  const limit = pLimit(maxConcurrent);
  let found = given && Promise.resolve(given);
  return ({ run, timeoutMs }, input, signal) =>
    limit(async () => {
      signal.throwIfAborted();
      found ??= findSandbox("any");
      const sandbox = await found;
      if (sandbox.kind === "none") return fault(`no sandbox works here: ${sandbox.reason}`);
      const [name = "", ...args] = run.map((word) => fill(word, folder));
      // An empty folder of its own, so that it changes nothing of the project. Only paths of the project are relative.
      return withOwnFolder(async (workplace) => {
        const program = findProgram(name, folder ?? workplace.home);
        if (!program.ok) return fault(`cannot start: ${program.reason}`);
        return withOwnFolder(async (own) => {
          const directory = workplace.home;
          const readable = folder === undefined ? [] : [folder];
          const enclosed = sandbox.enclose({ ...program, args }, { directory, own, readable });
          const mark = newRunMark();
          const { file, args: all, env } = enclosed;
          const spec = { file, args: all, directory, onlyEnv: { ...env, ...mark }, input };
          const ended = await runCommand(spec, { timeoutMs, ...outputLimits }, signal);
          if (sandbox.kind === "plain") await endLeftoverProcesses(mark);
          signal.throwIfAborted();
          const output = ended.output.trim();
          if (ended.timedOut) return fault(`no answer after ${timeoutMs} ms`);
          if (ended.flooded) return fault(`it printed more than ${outputLimits.printedBytes} bytes`);
          if (ended.exitCode === 0) return { ok: true };
          if (ended.exitCode === 1)
            return { ok: false, failed: false, reason: output || "the command gives no reason" };
          const how = ended.exitCode === undefined ? "a signal" : `exit code ${ended.exitCode}`;
          return fault(`it ended with ${how}${output && `: ${output}`}`);
        });
      });
    });
}

function fault(reason: string) {
  return { ok: false, failed: true, reason } as const;
}

function fill(word: string, folder: string | undefined): string {
  if (folder === undefined) return word;
  const absolute = isAbsolute(folder) ? folder : join(process.cwd(), folder);
  return word.replaceAll("{config}", absolute);
}
