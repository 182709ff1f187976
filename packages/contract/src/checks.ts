import { type Environment, EvidenceType } from "./messages.ts";

/**
 * The checks of the review gate that have a command (A §4.3 step 6): where the contract names it, and by which type agents
 * report of it. They stand in the order in which they build on each other, which is the one they are run in.
 */
export const checks = {
  build: { command: "buildCommand", evidence: EvidenceType.BUILD },
  typecheck: { command: "typecheckCommand", evidence: EvidenceType.TYPECHECK },
  lint: { command: "lintCommand", evidence: EvidenceType.LINT },
  tests: { command: "testCommand", evidence: EvidenceType.TEST },
  security: { command: "securityCommand", evidence: EvidenceType.SECURITY },
} as const satisfies Readonly<Record<string, { command: keyof Environment; evidence: EvidenceType }>>;

export type CheckName = keyof typeof checks;
export const checkNames = Object.keys(checks) as readonly CheckName[];

/** The command that a contract names for a check; empty when it names none. */
export function commandOf(environment: Environment | undefined, check: CheckName): string {
  return environment?.[checks[check].command].trim() ?? "";
}

/** All checks for which a contract names a command, with it. */
export function commandsOf(
  environment: Environment | undefined,
): readonly (readonly [check: CheckName, command: string])[] {
  return checkNames
    .map((check) => [check, commandOf(environment, check)] as const)
    .filter(([, command]) => command !== "");
}
