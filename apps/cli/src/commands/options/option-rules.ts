import { type Command, CommanderError } from "commander";
import { CliError } from "../../errors/cli-error.ts";
import { gather, readInput, readLabel } from "../../task/values.ts";

/** Refuses two contradicting options, one of which would silently win. */
export function refuseBoth(command: Command, one: string, other: string): void {
  const given = new Set<string>();
  for (const name of [one, other]) {
    command.on(`option:${name}`, () => {
      given.add(name);
      if (given.size < 2) return;
      throw new CliError("BATON-CLI-001", `--${one} and --${other} cannot be used together`, {
        fix: "give one of them",
      });
    });
  }
}

/** Refuses an empty value, which is usually an unset variable of a shell. */
export function refuseEmpty(command: Command): void {
  for (const option of command.options) {
    const read = option.parseArg;
    if (!option.required || option.argChoices) continue;
    const name = option.long ?? option.flags;
    option.argParser((text, before) => {
      if (text.trim() === "") {
        throw new CliError("BATON-CLI-001", `${name} is empty`, {
          fix: `give ${name} a value, or remove it`,
        });
      }
      return read === undefined ? text : read(text, before);
    });
  }
  for (const part of command.commands) refuseEmpty(part);
}

/** Parsers of options that may be repeated. */
const repeatable: ReadonlySet<unknown> = new Set([gather, readInput, readLabel]);

/** Refuses a second value, which would silently replace the first. */
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

/** For an unknown option, suggests the options that begin with it, before those that differ in few letters. */
export function suggestOptions(command: Command): void {
  command.exitOverride((error) => {
    throw withSuggestion(command, error);
  });
  for (const part of command.commands) suggestOptions(part);
}

function withSuggestion(command: Command, error: CommanderError): CommanderError {
  const [, flag] = /^error: unknown option '(--\w[\w-]+)'/.exec(error.message) ?? [];
  if (error.code !== "commander.unknownOption" || flag === undefined) return error;
  const meant = command
    .createHelp()
    .visibleOptions(command)
    .flatMap(({ long }) => (long?.startsWith(flag) ? [long] : []));
  if (meant.length === 0) return error;
  const which = meant.length > 1 ? `one of ${meant.join(", ")}` : meant[0];
  const message = `error: unknown option '${flag}'\n(Did you mean ${which}?)`;
  return new CommanderError(error.exitCode, error.code, message);
}
