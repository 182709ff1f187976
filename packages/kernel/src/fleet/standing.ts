/**
 * What the hub holds of one instance by its results (A §3.2 step 7).
 *
 * I1. Only `restore` leads out of quarantine: no heartbeat, no valid result, no restart of the instance.
 *     Nor does a new name: new instances of the same pack and key take the quarantine over (inherit-conduct.ts).
 * I2. A valid result ends the row of invalid ones; claims that hold end the row of those that did not. Neither ends the
 *     other, and whoever is in one of them is suspect.
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
  /** Those of them since the last result whose claims held. */
  readonly consecutiveDisprovedClaims: number;
  /** The quarantined instance of the same pack and key whose quarantine it took over. */
  readonly inheritedFrom?: string;
  /** Of a quarantined instance: others of its pack and key that were live then. They take nothing over. */
  readonly siblings?: readonly string[];
}

export const cleanConduct: Conduct = {
  standing: "trusted",
  consecutiveInvalidResults: 0,
  lastError: "",
  disprovedClaims: 0,
  consecutiveDisprovedClaims: 0,
};

/** Undefined when the result changes nothing. */
export function afterResult(
  conduct: Conduct,
  result: { readonly valid: boolean; readonly error: string },
  quarantineAfter: number,
): Conduct | undefined {
  if (conduct.standing === "quarantined") return undefined; // I1
  if (result.valid) {
    if (conduct.consecutiveInvalidResults === 0) return undefined;
    return cleared({ ...conduct, consecutiveInvalidResults: 0 });
  }
  const consecutiveInvalidResults = conduct.consecutiveInvalidResults + 1;
  const event = consecutiveInvalidResults >= quarantineAfter ? "quarantine" : "invalid";
  const standing = standingTransitions[conduct.standing][event];
  return { ...conduct, standing, consecutiveInvalidResults, lastError: result.error };
}

/** What the hub saw when it checked the claims of a result. Undefined when it changes nothing. */
export function afterClaims(
  conduct: Conduct,
  claims: { readonly held: boolean; readonly error: string },
  quarantineAfter: number,
): Conduct | undefined {
  const { standing, disprovedClaims, consecutiveDisprovedClaims: before } = conduct;
  if (claims.held) {
    if (standing === "quarantined" || before === 0) return undefined; // I1
    return cleared({ ...conduct, consecutiveDisprovedClaims: 0 });
  }
  const counted = {
    ...conduct,
    disprovedClaims: disprovedClaims + 1,
    consecutiveDisprovedClaims: before + 1,
    lastError: claims.error,
  };
  if (standing === "quarantined") return counted;
  const event = before + 1 >= quarantineAfter ? "quarantine" : "invalid";
  return { ...counted, standing: standingTransitions[standing][event] };
}

/** Who is in no row any more is trusted again (I2). */
function cleared(conduct: Conduct): Conduct {
  if (conduct.consecutiveInvalidResults + conduct.consecutiveDisprovedClaims > 0) return conduct;
  return { ...conduct, standing: standingTransitions.suspect.valid, lastError: "" };
}

export function afterRestore({ disprovedClaims }: Conduct): Conduct {
  return { ...cleanConduct, standing: standingTransitions.quarantined.restore, disprovedClaims };
}
