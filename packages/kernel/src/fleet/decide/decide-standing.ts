import { cutAtWord } from "../../brief.ts";
import { afterClaims, afterRestore, afterResult } from "../health/standing.ts";
import { type FleetState, findInstance, type Instance, packOf } from "../state/fleet-state.ts";
import { liveSiblings, noRow, rowOf } from "../state/inherit-conduct.ts";
import type { RecordOf } from "../state/record.ts";
import { auditQuarantine, auditRestore, auditUnmatchedResult } from "./audit.ts";
import { type FleetDecision, nothing, record, refuse } from "./decision.ts";
import type { FullFleetWorld, InputOf } from "./input.ts";
import { problem } from "./problem.ts";

/** Counts invalid results in a row, and quarantines the instance at the limit (A §3.2 step 7, DIS-14). */
export function decideResult(
  state: FleetState,
  { packId, instanceId, valid, error = "", stated }: InputOf<"result">,
  { nowMs: atMs, settings }: FullFleetWorld,
): FleetDecision {
  const instance = findInstance(state, packId, instanceId);
  if (!instance) return unknownInstance(packId, instanceId);
  const result = { valid, error: cutAtWord(error, settings.limits.errorLength) };
  const row = rowOf(packOf(state, packId), instance);
  const conduct = afterResult(instance.conduct, result, settings.quarantineAfter);
  // A valid result of one instance ends the row of all instances with its key.
  const endsRow = valid && row.invalidResults > 0 && instance.conduct.standing !== "quarantined";
  if (!conduct && !endsRow) return nothing;
  const invalidResults = valid ? 0 : row.invalidResults + 1;
  const noted = { conduct: conduct ?? instance.conduct, atMs, row: { ...row, invalidResults } };
  const decision = noteConduct(state, instance, noted);
  if (stated === undefined) return decision;
  const unmatched = auditUnmatchedResult({ packId, instanceId }, noted.conduct, result.error);
  return { ...decision, audit: [unmatched, ...decision.audit] };
}

/** Counts results whose claims did not hold, with the same limit as for invalid results (docs/decisions/0027). */
export function decideClaims(
  state: FleetState,
  { packId, instanceId, held, error = "" }: InputOf<"claims">,
  { nowMs: atMs, settings }: FullFleetWorld,
): FleetDecision {
  const instance = findInstance(state, packId, instanceId);
  if (!instance) return unknownInstance(packId, instanceId);
  const claims = { held, error: cutAtWord(error, settings.limits.errorLength) };
  const row = rowOf(packOf(state, packId), instance);
  const conduct = afterClaims(instance.conduct, claims, settings.quarantineAfter);
  const endsRow = held && row.disprovedClaims > 0 && instance.conduct.standing !== "quarantined";
  if (!conduct && !endsRow) return nothing;
  const disprovedClaims = held ? 0 : row.disprovedClaims + 1;
  return noteConduct(state, instance, {
    ...{ conduct: conduct ?? instance.conduct, atMs, row: { ...row, disprovedClaims } },
    ...(!held && { disproved: 1 }),
  });
}

type Noted = Omit<RecordOf<"quarantined">, "kind" | "packId" | "instanceId" | "key">;

function noteConduct(state: FleetState, instance: Instance, noted: Noted): FleetDecision {
  const { packId, instanceId, conduct: before, key } = instance;
  const { conduct } = noted;
  const known = { packId, instanceId, ...noted, ...(key !== undefined && { key }) };
  const isQuarantined = conduct.standing === "quarantined" && before.standing !== "quarantined";
  if (!isQuarantined) return record([{ kind: "conduct-noted", ...known }]);
  const siblings = liveSiblings(packOf(state, packId), instance);
  const quarantined = siblings.length > 0 ? { ...conduct, siblings } : conduct;
  return {
    records: [{ kind: "quarantined", ...known, conduct: quarantined }],
    audit: [auditQuarantine({ packId, instanceId }, conduct)],
  };
}

/** The only exit from quarantine; it states who decided it (DIS-14). */
export function decideRestore(
  state: FleetState,
  { packId, instanceId, by, reason }: InputOf<"restore">,
  { nowMs: atMs }: FullFleetWorld,
): FleetDecision {
  const instance = findInstance(state, packId, instanceId);
  if (!instance) return unknownInstance(packId, instanceId);
  if (instance.conduct.standing !== "quarantined") {
    const message = `instance ${packId}/${instanceId} is not quarantined`;
    return refuse(problem("BATON-FLEET-010", "instance_id", message));
  }
  if (by === "" || reason === "") {
    const at = by === "" ? "by" : "reason";
    return refuse(problem("BATON-FLEET-010", at, "restoring an instance requires a name and a reason"));
  }
  // An instance that inherited its quarantine is restored together with the origin.
  const origin = findInstance(state, packId, instance.conduct.inheritedFrom ?? "");
  const restored = origin ? [origin, instance] : [instance];
  return {
    records: restored.map(({ instanceId, conduct, key }) => ({
      ...{ kind: "restored", packId, instanceId, conduct: afterRestore(conduct), by, reason, atMs },
      ...(key !== undefined && { key, row: noRow }),
    })),
    audit: restored.map((one) =>
      auditRestore({ packId, instanceId: one.instanceId }, one.conduct, by, reason),
    ),
  };
}

function unknownInstance(packId: string, instanceId: string): FleetDecision {
  return refuse(problem("BATON-FLEET-005", "instance_id", `instance ${packId}/${instanceId} is not known`));
}
