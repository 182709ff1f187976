/**
 * Conduct outlives a restart of the agent (DIS-14). An agent chooses its instance id, so conduct is also counted by pack
 * and key: instances with the same key count as one author.
 * C1. While an instance is quarantined, new instances of its pack and key are quarantined with it, and restored with it.
 * C2. Instances that were live at that time are exempt: they have a record of their own. After a restart of the hub, idle
 *     instances are unknown, so they are not exempt: one could be the quarantined instance under a new name.
 * C3. Otherwise a new instance continues the failures in a row of its pack and key.
 */

import { type Conduct, cleanConduct, standingTransitions } from "../health/standing.ts";
import type { Instance, PackState, Row } from "./fleet-state.ts";

/** Siblings stored with a quarantined instance. */
const maxSiblings = 100;

/** The conduct of a new instance; undefined when there is none to inherit. */
export function inheritedConduct(
  { quarantined, rows }: PackState,
  instanceId: string,
  key: string,
): Conduct | undefined {
  for (const origin of quarantined.values()) {
    if (origin.key !== key || origin.conduct.siblings?.includes(instanceId)) continue;
    const { siblings: _, ...conduct } = origin.conduct;
    const lastError = `${origin.instanceId} of the same pack and key is quarantined: ${conduct.lastError}`;
    return { ...conduct, disprovedClaims: 0, lastError, inheritedFrom: origin.instanceId };
  }
  const row = rows.get(key);
  if (!row) return undefined;
  return {
    ...cleanConduct,
    standing: standingTransitions.trusted.invalid,
    consecutiveInvalidResults: row.invalidResults,
    consecutiveDisprovedClaims: row.disprovedClaims,
    lastError: "failed results of an earlier instance of the same pack and key",
  };
}

/** Whether it is quarantined for its own results. */
export function isOrigin({ standing, inheritedFrom }: Conduct): boolean {
  return standing === "quarantined" && inheritedFrom === undefined;
}

/** Ids of other live instances of its pack and key. */
export function liveSiblings(
  { instances }: PackState,
  { instanceId: own, key }: Instance,
): readonly string[] {
  return instances
    .values()
    .filter((other) => other.presence === "LIVE" && other.key === key && other.instanceId !== own)
    .take(maxSiblings)
    .map(({ instanceId }) => instanceId)
    .toArray();
}

export const noRow: Row = { invalidResults: 0, disprovedClaims: 0 };

export function rowOf({ rows }: PackState, { key }: Instance): Row {
  return (key !== undefined && rows.get(key)) || noRow;
}
