import { CommanderError } from "commander";
import { CliError } from "./errors/cli-error.ts";
import { exitCode } from "./exit-code.ts";
import { defaultHub } from "./hub/address.ts";
import { leaveQuietlyWithoutReader, reportError } from "./output.ts";
import { createProgram, outputOf } from "./program.ts";

/** Runs one command line and sets the exit code. */
export async function main(args: readonly string[]): Promise<void> {
  leaveQuietlyWithoutReader();
  const program = await createProgram(args);
  try {
    await program.parseAsync([...args], { from: "user" });
  } catch (error) {
    const output = outputOf(program, args);
    const wasHelped = error instanceof CommanderError && isHelp(error);
    if (wasHelped && (error.exitCode === 0 || output === "text")) {
      process.exitCode = error.exitCode === 0 ? exitCode.ok : exitCode.usage;
      return;
    }
    await reportError(wasHelped ? noCommand() : error, { hub: defaultHub, output });
  }
}

function noCommand(): CliError {
  return new CliError("BATON-CLI-001", "a command is missing", { fix: "list the commands with --help" });
}

/** Help and version are printed already. Help that was not requested means that a command is missing. */
function isHelp({ code }: CommanderError): boolean {
  return ["commander.help", "commander.helpDisplayed", "commander.version"].includes(code);
}
