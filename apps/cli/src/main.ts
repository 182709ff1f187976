import { CommanderError } from "commander";
import { exitCode } from "./exit-code.ts";
import { defaultHub } from "./hub/address.ts";
import { createProgram } from "./program.ts";
import { leaveQuietlyWithoutReader, reportError } from "./session.ts";

/** Carries out one command line. The exit code is set when it returns. */
export async function main(args: readonly string[]): Promise<void> {
  leaveQuietlyWithoutReader();
  try {
    await createProgram().parseAsync([...args], { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError && isHelp(error)) {
      process.exitCode = error.exitCode === 0 ? exitCode.ok : exitCode.usage;
      return;
    }
    reportError(error, { hub: defaultHub, output: "text" });
  }
}

/** Help and version have been printed already; help that nobody asked for means that a command is missing. */
function isHelp({ code }: CommanderError): boolean {
  return ["commander.help", "commander.helpDisplayed", "commander.version"].includes(code);
}
