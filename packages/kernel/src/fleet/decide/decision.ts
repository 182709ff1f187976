import type { FleetRecord } from "../state/record.ts";
import type { FleetAudit } from "./audit.ts";
import { type FleetProblem, overLimit } from "./problem.ts";

/** The decision on an input. Records and audit entries are stored together before any effect. */
export interface FleetDecision {
  readonly records: readonly FleetRecord[];
  readonly audit: readonly FleetAudit[];
  /** Why the input was refused; then there are no records. */
  readonly problem?: FleetProblem;
}

/** The input is valid and changes nothing. */
export const nothing: FleetDecision = { records: [], audit: [] };

export function record(records: readonly FleetRecord[]): FleetDecision {
  return records.length === 0 ? nothing : { records, audit: [] };
}

export function refuse(problem: FleetProblem): FleetDecision {
  return { records: [], audit: [], problem };
}

export function overLimitOf(...what: Parameters<typeof overLimit>): FleetDecision {
  return refuse(overLimit(...what));
}
