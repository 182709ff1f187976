import { statSync } from "node:fs";
import { CliError } from "../errors/cli-error.ts";

/**
 * `baton run task.yaml`: a file stands where the name of a template belongs. Templates may have any name, so a name that
 * could be either is a template's, until the task proves to be incomplete or the hub does not know the template.
 */
export function refuseFile(template: string): void {
  if (isPath(template)) throw fileAsTemplate(template);
}

/** The better complaint about a task that cannot be taken, if what was meant is likely to be a file. */
export function meantFile(template: string): CliError | undefined {
  return /[/\\]/.test(template) || isFile(template) ? fileAsTemplate(template) : undefined;
}

function isPath(template: string): boolean {
  return /^(\.{0,2}[/\\]|~[/\\]|[a-z]:[/\\])|\.(ya?ml|json)$/i.test(template);
}

function isFile(name: string): boolean {
  return statSync(name, { throwIfNoEntry: false })?.isFile() ?? false;
}

function fileAsTemplate(template: string): CliError {
  const given = /\s/.test(template) ? JSON.stringify(template) : template;
  return new CliError(
    "BATON-CLI-001",
    `"${template}" names a file, and baton run takes the name of a template`,
    {
      at: "TEMPLATE",
      fix: `baton run --file ${given} takes a task that is written in a file; without one, baton run TEMPLATE names a template of the hub, and --task-type one stage`,
    },
  );
}
