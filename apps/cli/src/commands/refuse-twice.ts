import type { Command } from "commander";
import { CliError } from "../errors/cli-error.ts";
import { gather, readInput, readLabel } from "../task/values.ts";

/** Readers of options that may be given again: each adds to what was said before. */
const repeatable: ReadonlySet<unknown> = new Set([gather, readInput, readLabel]);

/** Of an option that has one value, a second one would silently take the place of the first. */
export function refuseTwice(command: Command): void {
  for (const option of command.options) {
    const read = option.parseArg;
    if (option.isBoolean() || repeatable.has(read)) continue;
    const name = option.long ?? option.flags;
    let isGiven = false;
    option.argParser((text, before) => {
      if (isGiven) {
        throw new CliError("BATON-CLI-001", `${name} is given twice`, { fix: `give ${name} once` });
      }
      isGiven = true;
      return read === undefined ? text : read(text, before);
    });
  }
  for (const part of command.commands) refuseTwice(part);
}
