import { type Contract, type Environment, EvidenceType, splitCommand } from "@baton/contract";

/** The checks of the review gate that have a command (A §4.3 step 6). */
export const checkNames = ["tests", "lint", "typecheck", "build", "security"] as const;
export type CheckName = (typeof checkNames)[number];

const commands: Record<CheckName, (environment: Environment) => string> = {
  tests: ({ testCommand }) => testCommand,
  lint: ({ lintCommand }) => lintCommand,
  typecheck: ({ typecheckCommand }) => typecheckCommand,
  build: ({ buildCommand }) => buildCommand,
  security: ({ securityCommand }) => securityCommand,
};

export const evidenceTypes: Record<CheckName | "manual" | "other", EvidenceType> = {
  tests: EvidenceType.TEST,
  lint: EvidenceType.LINT,
  typecheck: EvidenceType.TYPECHECK,
  build: EvidenceType.BUILD,
  security: EvidenceType.SECURITY,
  manual: EvidenceType.MANUAL,
  other: EvidenceType.UNSPECIFIED,
};

/** The command the contract names for a check; empty when it names none. */
export function commandFor({ environment }: Contract, name: CheckName): string {
  return environment ? commands[name](environment).trim() : "";
}

/** The check that a command is, by the words of the contract's commands. */
export function checkOf(contract: Contract, words: readonly string[]): CheckName | undefined {
  return checkNames.find((name) => {
    const stated = splitCommand(commandFor(contract, name));
    return stated !== undefined && stated.length > 0 && sameWords(stated, words);
  });
}

function sameWords(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((word, index) => word === b[index]);
}
