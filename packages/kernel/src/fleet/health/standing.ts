/**
 * The trust in one instance, by its results (A §3.2 step 7).
 * I1. Only `restore` leads out of quarantine: no heartbeat, no valid result, no restart of the instance, no new name.
 *     New instances of the same pack and key inherit the quarantine (inherit-conduct.ts).
 * I2. A valid result ends the row of invalid ones; claims that hold end the row of those that did not. Neither ends the
 *     other, and an instance in either row is suspect.
 */
export const standingTransitions = {
  trusted: { invalid: "suspect", quarantine: "quarantined" },
  suspect: { valid: "trusted", invalid: "suspect", quarantine: "quarantined" },
  quarantined: { restore: "trusted" },
} as const;

type Standing = keyof typeof standingTransitions;

/** Counted by the hub; nothing of it comes from a heartbeat. */
export interface Conduct {
  readonly standing: Standing;
  readonly consecutiveInvalidResults: number;
  /** Error of the last invalid result; empty after a valid one. */
  readonly lastError: string;
  /** Results whose evidence did not hold when it was checked. */
  readonly disprovedClaims: number;
  /** Of these, the ones since the last result whose claims held. */
  readonly consecutiveDisprovedClaims: number;
  /** The instance of the same pack and key from which it inherited the quarantine. */
  readonly inheritedFrom?: string;
  /** Other instances of the pack and key that were live when this one was quarantined. They inherit nothing. */
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

/** Undefined when the check of the claims changes nothing. */
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
