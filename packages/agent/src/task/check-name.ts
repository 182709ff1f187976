import {
  type CheckName,
  type Contract,
  checkNames,
  checks,
  commandOf,
  EvidenceType,
  splitCommand,
} from "@baton/contract";

/** By which type a check is reported. */
export function evidenceTypeOf(check: CheckName | "manual" | "other"): EvidenceType {
  if (check === "manual") return EvidenceType.MANUAL;
  return check === "other" ? EvidenceType.UNSPECIFIED : checks[check].evidence;
}

/** The check that a command is, by the words of the contract's commands. */
export function checkOf(contract: Contract, words: readonly string[]): CheckName | undefined {
  return checkNames.find((name) => {
    const stated = splitCommand(commandOf(contract.environment, name));
    return stated !== undefined && stated.length > 0 && sameWords(stated, words);
  });
}

function sameWords(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((word, index) => word === b[index]);
}
