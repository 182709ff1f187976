import type { Contract } from "@baton/contract";

/**
 * The tools an agent must have (A §3.3): the explicit list, else the first word of each command of the environment
 * plus what the task depends on.
 */
export function requiredTools({ requiredTools: explicit, environment, io }: Contract): readonly string[] {
  if (explicit.length > 0) return unique(explicit);
  const { lintCommand, typecheckCommand, testCommand, buildCommand, securityCommand } = environment ?? {};
  const commands = [lintCommand, typecheckCommand, testCommand, buildCommand, securityCommand];
  const words = commands.map((command) => command?.trim().split(/\s+/)[0] ?? "");
  return unique([...words, ...(io?.dependencies ?? [])]);
}

function unique(names: readonly string[]): readonly string[] {
  return [...new Set(names)].filter((name) => name !== "").sort();
}
