/**
 * What the hub holds of one instance by its results (A §3.2 step 7).
 *
 * I1. Only `restore` leads out of quarantine: no heartbeat, no valid result, no restart of the instance.
 * I2. A valid result ends the row of invalid ones.
 */
export const standingTransitions = {
  trusted: { invalid: "suspect", quarantine: "quarantined" },
  suspect: { valid: "trusted", invalid: "suspect", quarantine: "quarantined" },
  quarantined: { restore: "trusted" },
} as const;

export type Standing = keyof typeof standingTransitions;

/** What the hub itself has counted; nothing of it comes from a heartbeat. */
export interface Conduct {
  readonly standing: Standing;
  readonly consecutiveInvalidResults: number;
  /** Of the last invalid result; empty when there was none since the last valid one. */
  readonly lastError: string;
  /** Results whose evidence did not hold when it was checked. */
  readonly disprovedClaims: number;
}

export const cleanConduct: Conduct = {
  standing: "trusted",
  consecutiveInvalidResults: 0,
  lastError: "",
  disprovedClaims: 0,
};

/** Undefined when the result changes nothing. */
export function afterResult(
  conduct: Conduct,
  result: { readonly valid: boolean; readonly error: string },
  quarantineAfter: number,
): Conduct | undefined {
  if (conduct.standing === "quarantined") return undefined; // I1
  if (result.valid) {
    if (conduct.standing === "trusted") return undefined;
    return {
      ...conduct,
      standing: standingTransitions.suspect.valid,
      consecutiveInvalidResults: 0,
      lastError: "",
    };
  }
  const consecutiveInvalidResults = conduct.consecutiveInvalidResults + 1;
  const event = consecutiveInvalidResults >= quarantineAfter ? "quarantine" : "invalid";
  const standing = standingTransitions[conduct.standing][event];
  return { ...conduct, standing, consecutiveInvalidResults, lastError: result.error };
}

export function afterRestore(conduct: Conduct): Conduct {
  const standing = standingTransitions.quarantined.restore;
  return { ...conduct, standing, consecutiveInvalidResults: 0, lastError: "" };
}
