import { auditQuarantine, auditRestore, auditUnmatchedResult } from "./audit.ts";
import { type FleetDecision, nothing, record, refuse } from "./decision.ts";
import { type FleetState, findInstance } from "./fleet-state.ts";
import type { InputOf, SettledWorld } from "./input.ts";
import { problem } from "./problem.ts";
import type { RecordOf } from "./record.ts";
import { afterClaims, afterRestore, afterResult, type Conduct } from "./standing.ts";

/** Counts invalid results in a row, and shuts the instance out after so many (A §3.2 step 7, DIS-14). */
export function decideResult(
  state: FleetState,
  { packId, instanceId, valid, error = "", stated }: InputOf<"result">,
  { nowMs: atMs, settings }: SettledWorld,
): FleetDecision {
  const instance = findInstance(state, packId, instanceId);
  if (!instance) return unknownInstance(packId, instanceId);
  const result = { valid, error: shorten(error, settings.limits.errorLength) };
  const conduct = afterResult(instance.conduct, result, settings.quarantineAfter);
  if (!conduct) return nothing;
  const decision = noteConduct({ packId, instanceId, conduct, atMs }, instance.conduct);
  if (stated === undefined) return decision;
  const unmatched = auditUnmatchedResult({ packId, instanceId }, conduct, result.error);
  return { ...decision, audit: [unmatched, ...decision.audit] };
}

/**
 * Counts results whose claims did not hold, and shuts the instance out after so many in a row, as for invalid ones: an
 * agent that cannot be believed is of no more use than one that cannot be understood (docs/decisions/0027).
 */
export function decideClaims(
  state: FleetState,
  { packId, instanceId, held, error = "" }: InputOf<"claims">,
  { nowMs: atMs, settings }: SettledWorld,
): FleetDecision {
  const instance = findInstance(state, packId, instanceId);
  if (!instance) return unknownInstance(packId, instanceId);
  const claims = { held, error: shorten(error, settings.limits.errorLength) };
  const conduct = afterClaims(instance.conduct, claims, settings.quarantineAfter);
  if (!conduct) return nothing;
  return noteConduct({ packId, instanceId, conduct, atMs, ...(!held && { disproved: 1 }) }, instance.conduct);
}

function noteConduct(noted: Omit<RecordOf<"quarantined">, "kind">, before: Conduct): FleetDecision {
  const { packId, instanceId, conduct } = noted;
  const isShutOut = conduct.standing === "quarantined" && before.standing !== "quarantined";
  if (!isShutOut) return record([{ kind: "conduct-noted", ...noted }]);
  return {
    records: [{ kind: "quarantined", ...noted }],
    audit: [auditQuarantine({ packId, instanceId }, conduct)],
  };
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
