import type { Command } from "commander";
import { CliError } from "../errors/cli-error.ts";

/** Of two options that say the opposite, the later one would silently win. */
export function refuseBoth(command: Command, one: string, other: string): void {
  const given = new Set<string>();
  for (const name of [one, other]) {
    command.on(`option:${name}`, () => {
      given.add(name);
      if (given.size < 2) return;
      throw new CliError("BATON-CLI-001", `--${one} and --${other} say the opposite`, {
        fix: "give one of them",
      });
    });
  }
}
