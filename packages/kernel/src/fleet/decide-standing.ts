import { auditQuarantine, auditRestore } from "./audit.ts";
import { type FleetDecision, nothing, record, refuse } from "./decision.ts";
import { type FleetState, findInstance } from "./fleet-state.ts";
import type { InputOf, SettledWorld } from "./input.ts";
import { problem } from "./problem.ts";
import { afterRestore, afterResult } from "./standing.ts";

/** Counts invalid results in a row, and shuts the instance out after so many (A §3.2 step 7, DIS-14). */
export function decideResult(
  state: FleetState,
  { packId, instanceId, valid, error = "" }: InputOf<"result">,
  { nowMs: atMs, settings }: SettledWorld,
): FleetDecision {
  const instance = findInstance(state, packId, instanceId);
  if (!instance) return unknownInstance(packId, instanceId);
  const result = { valid, error: shorten(error, settings.limits.errorLength) };
  const conduct = afterResult(instance.conduct, result, settings.quarantineAfter);
  if (!conduct) return nothing;
  if (conduct.standing !== "quarantined") {
    return record([{ kind: "conduct-noted", packId, instanceId, conduct, atMs }]);
  }
  return {
    records: [{ kind: "quarantined", packId, instanceId, conduct, atMs }],
    audit: [auditQuarantine({ packId, instanceId }, conduct)],
  };
}

export function decideClaimDisproved(
  state: FleetState,
  { packId, instanceId }: InputOf<"claim-disproved">,
  { nowMs: atMs }: SettledWorld,
): FleetDecision {
  const instance = findInstance(state, packId, instanceId);
  if (!instance) return unknownInstance(packId, instanceId);
  const conduct = { ...instance.conduct, disprovedClaims: instance.conduct.disprovedClaims + 1 };
  return record([{ kind: "conduct-noted", packId, instanceId, conduct, atMs }]);
}

/** The only way out of quarantine, and it bears a name (DIS-14). */
export function decideRestore(
  state: FleetState,
  { packId, instanceId, by, reason }: InputOf<"restore">,
  { nowMs: atMs }: SettledWorld,
): FleetDecision {
  const instance = findInstance(state, packId, instanceId);
  if (!instance) return unknownInstance(packId, instanceId);
  if (instance.conduct.standing !== "quarantined") {
    const message = `instance ${packId}/${instanceId} is not quarantined`;
    return refuse(problem("BATON-FLEET-010", "instance_id", message));
  }
  if (by === "" || reason === "") {
    const at = by === "" ? "by" : "reason";
    return refuse(problem("BATON-FLEET-010", at, "an instance is restored by somebody and for a reason"));
  }
  const conduct = afterRestore(instance.conduct);
  return {
    records: [{ kind: "restored", packId, instanceId, conduct, by, reason, atMs }],
    audit: [auditRestore({ packId, instanceId }, instance.conduct, by, reason)],
  };
}

function unknownInstance(packId: string, instanceId: string): FleetDecision {
  return refuse(problem("BATON-FLEET-005", "instance_id", `instance ${packId}/${instanceId} is not known`));
}

/** A character that takes two units is not cut in half: half of one cannot be written to the audit. */
function shorten(text: string, length: number): string {
  return text.length <= length ? text : text.slice(0, length).toWellFormed();
}
