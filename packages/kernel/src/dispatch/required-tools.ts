import { type Contract, commandsOf } from "@baton/contract";

/**
 * The tools an agent must have (A §3.3): the explicit list, else the first word of each command of the environment
 * plus what the task depends on.
 */
export function requiredTools({ requiredTools: explicit, environment, io }: Contract): readonly string[] {
  if (explicit.length > 0) return unique(explicit);
  const dependencies = io?.dependencies ?? [];
  if (!environment) return unique(dependencies);
  const words = commandsOf(environment).map(([, command]) => command.split(/\s+/)[0] ?? "");
  return unique([...words, ...dependencies]);
}

function unique(names: readonly string[]): readonly string[] {
  if (names.length === 0) return names;
  return [...new Set(names)].filter((name) => name !== "").sort();
}
