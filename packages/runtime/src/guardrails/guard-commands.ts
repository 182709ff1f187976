import type { GuardrailCheck } from "@baton/kernel";
import pLimit from "p-limit";
import type { CommandRun } from "../processes/run-command.ts";
import { CannotStart, runEnclosed } from "../processes/run-enclosed.ts";
import { findSandbox, type NoSandbox } from "../processes/sandbox/find-sandbox.ts";
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
      const command = { run, folder, placeholder: "{config}" };
      const limits = { timeoutMs, ...outputLimits };
      try {
        return verdictOf(await runEnclosed(sandbox, command, { input, limits, signal }), timeoutMs);
      } catch (error) {
        if (error instanceof CannotStart) return fault(error.message);
        throw error;
      } finally {
        signal.throwIfAborted();
      }
    });
}

function verdictOf({ output: given, timedOut, flooded, exitCode }: CommandRun, timeoutMs: number) {
  const output = given.trim();
  if (timedOut) return fault(`no answer after ${timeoutMs} ms`);
  if (flooded) return fault(`it printed more than ${outputLimits.printedBytes} bytes`);
  if (exitCode === 0) return { ok: true } as const;
  if (exitCode === 1)
    return { ok: false, failed: false, reason: output || "the command gives no reason" } as const;
  const how = exitCode === undefined ? "a signal" : `exit code ${exitCode}`;
  return fault(`it ended with ${how}${output && `: ${output}`}`);
}

function fault(reason: string) {
  return { ok: false, failed: true, reason } as const;
}
