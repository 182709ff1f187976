/** The one door to the kernel: what the simulation drives, and the seam where a test plants a bug. */
import {
  decide,
  decideFleet,
  evolve,
  evolveFleet,
  type FleetState,
  type PipelineRecord,
} from "@baton/kernel";

export {
  type Actor,
  type Answer,
  breakerTransitions,
  type Command,
  type Decision,
  defaultEntropyOptions,
  defaultFleetSettings,
  emptyFleet,
  type FleetInput,
  type FleetNews,
  type FleetRecord,
  type FleetSettings,
  type FleetState,
  fleetInputsFor,
  leaseTransitions,
  type OpenEscalation,
  type PipelineInput,
  type PipelineRecord,
  type PipelineState,
  pipelineTransitions,
  planPipeline,
  type Refreshed,
  type ReviewVerdict,
  type Route,
  type RoutingPolicy,
  recordDurability,
  type Sent,
  type Spend,
  type SpendLimit,
  type StageState,
  sentOf,
  stageTransitions,
  standingTransitions,
  type Verification,
  viewFleet,
  type World,
  waitOf,
} from "@baton/kernel";

/** The four functions that decide. The hub calls these and no others. */
export interface Kernel {
  readonly decide: typeof decide;
  readonly evolve: typeof evolve;
  readonly decideFleet: typeof decideFleet;
  readonly evolveFleet: typeof evolveFleet;
}

export const kernel: Kernel = { decide, evolve, decideFleet, evolveFleet };

export type RecordOf<Type extends PipelineRecord["type"]> = Extract<PipelineRecord, { type: Type }>;

export function findInstance({ packs }: FleetState, packId: string, instanceId: string) {
  return packs.get(packId)?.instances.get(instanceId);
}
