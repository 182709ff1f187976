import type { Command } from "commander";
import { withInvocation } from "../../invocation.ts";
import { outputTerminal } from "../../output.ts";
import { wrap } from "../../terminal/width.ts";

/** Adds examples to the end of a command's help. Commands stay on one line, to be copied. */
export function withExamples(
  command: Command,
  examples: readonly (readonly [line: string, purpose: string])[],
): Command {
  const indent = "      ";
  return command.addHelpText("after", () => {
    const room = Math.max(20, outputTerminal().columns - indent.length);
    const lines = examples.flatMap(([line, purpose]) => [
      `  ${withInvocation(line)}`,
      ...wrap(purpose, room).map((text) => indent + text),
    ]);
    return `\nExamples:\n${lines.join("\n")}`;
  });
}
