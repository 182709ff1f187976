import { statSync } from "node:fs";
import { CliError } from "../errors/cli-error.ts";

/** The template or task type of a task. */
export interface Named {
  readonly by: "TEMPLATE" | "--task-type";
  readonly name: string;
}

/**
 * Refuses `baton run task.yaml`, a file instead of a template or task type. Names are free, so an ambiguous one is taken as a
 * name until the task turns out to be incomplete or the hub does not know the template.
 */
export function refuseFile(named: Named): void {
  if (isPath(named.name)) throw fileInsteadOfName(named);
}

/** The better error for a refused task if the name is probably a file. */
export function fileError(named: Named): CliError | undefined {
  return /[/\\]/.test(named.name) || isFile(named.name) ? fileInsteadOfName(named) : undefined;
}

function isPath(name: string): boolean {
  return /^(\.{0,2}[/\\]|~[/\\]|[a-z]:[/\\])|\.(ya?ml|json)$/i.test(name);
}

function isFile(name: string): boolean {
  return statSync(name, { throwIfNoEntry: false })?.isFile() ?? false;
}

const taken = {
  TEMPLATE: "baton run takes the name of a template",
  "--task-type": "--task-type takes the name of a type",
} as const;

function fileInsteadOfName({ by, name }: Named): CliError {
  const given = /\s/.test(name) ? JSON.stringify(name) : name;
  return new CliError("BATON-CLI-001", `"${name}" names a file, and ${taken[by]}`, {
    at: by,
    fix: `baton run --file ${given} takes a task that is written in a file; without one, baton run TEMPLATE names a template of the hub, and --task-type one stage`,
  });
}
