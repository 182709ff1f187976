import type { Command } from "commander";
import { asCalled } from "../called-as.ts";

/** Examples at the end of a command's help: what to type, and what it does. */
export function withExamples(
  command: Command,
  examples: readonly (readonly [line: string, purpose: string])[],
): Command {
  const lines = examples.map(([line, purpose]) => `  ${asCalled(line)}\n      ${purpose}`);
  return command.addHelpText("after", `\nExamples:\n${lines.join("\n")}`);
}
