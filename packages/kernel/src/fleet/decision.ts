import type { FleetAudit } from "./audit.ts";
import type { FleetProblem } from "./problem.ts";
import type { FleetRecord } from "./record.ts";

/** What follows from an input. Records and audit entries are stored together before anything is done. */
export interface FleetDecision {
  readonly records: readonly FleetRecord[];
  readonly audit: readonly FleetAudit[];
  /** Why the input was not taken; then there are no records. */
  readonly problem?: FleetProblem;
}

/** The input changes nothing, and nothing is wrong with it. */
export const nothing: FleetDecision = { records: [], audit: [] };

export function record(records: readonly FleetRecord[]): FleetDecision {
  return records.length === 0 ? nothing : { records, audit: [] };
}

export function refuse(problem: FleetProblem): FleetDecision {
  return { records: [], audit: [], problem };
}
