import type { Command } from "commander";
import { withInvocation } from "../../invocation.ts";

/** Adds examples to the end of a command's help. */
export function withExamples(
  command: Command,
  examples: readonly (readonly [line: string, purpose: string])[],
): Command {
  const lines = examples.map(([line, purpose]) => `  ${withInvocation(line)}\n      ${purpose}`);
  return command.addHelpText("after", `\nExamples:\n${lines.join("\n")}`);
}
