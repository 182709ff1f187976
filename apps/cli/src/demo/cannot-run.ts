import { CliError } from "../errors/cli-error.ts";

export function cannotRun(reason: string, fix: string, cause?: unknown): CliError {
  return new CliError("BATON-CLI-010", `the demonstration cannot be run: ${reason}`, { fix, cause });
}
