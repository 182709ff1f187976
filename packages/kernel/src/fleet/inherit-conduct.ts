/**
 * What a restart of an agent does not wash off (DIS-14). An agent chooses the id of its instance, so conduct is also
 * counted by pack and key: instances that came with the same key are taken for the same author.
 *
 * C1. While an instance is quarantined, new instances of its pack and key are quarantined with it, and restored with it.
 * C2. Instances that were live when it was quarantined are not: they have shown what they do.
 * C3. Otherwise a new instance goes on with the failures in a row of its pack and key.
 */
import type { Instance, PackState, Row } from "./fleet-state.ts";
import { type Conduct, cleanConduct, standingTransitions } from "./standing.ts";

/** Siblings that are remembered of a quarantined instance. */
const mostSiblings = 100;

/** The conduct that a new instance begins with; undefined when there is nothing to take over. */
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

/** Whether it is quarantined for what it did itself. */
export function isOrigin({ standing, inheritedFrom }: Conduct): boolean {
  return standing === "quarantined" && inheritedFrom === undefined;
}

/** Others of its pack and key that are live, by id. */
export function liveSiblings(
  { instances }: PackState,
  { instanceId: own, key }: Instance,
): readonly string[] {
  return instances
    .values()
    .filter((other) => other.presence === "LIVE" && other.key === key && other.instanceId !== own)
    .take(mostSiblings)
    .map(({ instanceId }) => instanceId)
    .toArray();
}

export const noRow: Row = { invalidResults: 0, disprovedClaims: 0 };

export function rowOf({ rows }: PackState, { key }: Instance): Row {
  return (key !== undefined && rows.get(key)) || noRow;
}
