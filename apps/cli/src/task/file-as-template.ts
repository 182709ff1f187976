import { statSync } from "node:fs";
import { CliError } from "../errors/cli-error.ts";

/** What says how a task is run, by name. */
export interface Named {
  readonly by: "TEMPLATE" | "--task-type";
  readonly name: string;
}

/**
 * `baton run task.yaml`: a file stands where the name of a template or a type belongs. Both may have any name, so a name
 * that could be either is no file's, until the task proves to be incomplete or the hub does not know the template.
 */
export function refuseFile(named: Named): void {
  if (isPath(named.name)) throw fileAsName(named);
}

/** The better complaint about a task that cannot be taken, if what was meant is likely to be a file. */
export function meantFile(named: Named): CliError | undefined {
  return /[/\\]/.test(named.name) || isFile(named.name) ? fileAsName(named) : undefined;
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

function fileAsName({ by, name }: Named): CliError {
  const given = /\s/.test(name) ? JSON.stringify(name) : name;
  return new CliError("BATON-CLI-001", `"${name}" names a file, and ${taken[by]}`, {
    at: by,
    fix: `baton run --file ${given} takes a task that is written in a file; without one, baton run TEMPLATE names a template of the hub, and --task-type one stage`,
  });
}
