import { ActorType, GateCheckStatus, type GateSnapshot } from "@baton/contract/messages";

/** The text for results that were accepted without a check. */
export const nothingChecked = "nothing was checked: the contract names no command and limits no files";

/** Accepted without a check (PIP-06): no check applied, and no person or agent reviewed it. */
export function isUnchecked({
  checks,
  passed,
  reviewer,
}: Pick<GateSnapshot, "checks" | "passed" | "reviewer">): boolean {
  if (!passed || (reviewer !== undefined && reviewer.type !== ActorType.ORCHESTRATOR)) return false;
  return checks.every(({ status }) => status === GateCheckStatus.NOT_APPLICABLE);
}
