import { ActorType, GateCheckStatus, type GateSnapshot } from "@baton/contract/messages";

/** Said wherever a result was taken as it came. */
export const nothingChecked = "nothing was checked: the contract names no command and limits no files";

/** Taken as it came (PIP-06): it passed, no check applied, and nobody but the hub itself has looked at it. */
export function isUnchecked({
  checks,
  passed,
  reviewer,
}: Pick<GateSnapshot, "checks" | "passed" | "reviewer">): boolean {
  if (!passed || (reviewer !== undefined && reviewer.type !== ActorType.ORCHESTRATOR)) return false;
  return checks.every(({ status }) => status === GateCheckStatus.NOT_APPLICABLE);
}
