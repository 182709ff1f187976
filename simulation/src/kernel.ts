/** The only access to the kernel, and the seam where tests plant bugs. */
import type { FleetState, PipelineRecord } from "@baton/kernel";
import { defaultKernel, type Kernel } from "@baton/runtime/parts";

export {
  type Actor,
  type Answer,
  branchesAt,
  breakerTransitions,
  type Command,
  type Decision,
  defaultFleetSettings,
  type FleetInput,
  type FleetRecord,
  type FleetSettings,
  type FleetState,
  leaseTransitions,
  type OpenEscalation,
  type PipelineInput,
  type PipelineRecord,
  type PipelineState,
  pipelineTransitions,
  planBranches,
  planPipeline,
  type RefreshOutcome,
  type ReviewVerdict,
  type Route,
  type RoutingPolicy,
  replay,
  type Sent,
  type Spend,
  type SpendLimit,
  type StageState,
  sentOf,
  stageTransitions,
  standingTransitions,
  type Verification,
  verifyChain,
  type World,
  waitOf,
} from "@baton/kernel";

export type { Kernel };
export const kernel = defaultKernel;

export type RecordOf<Type extends PipelineRecord["type"]> = Extract<PipelineRecord, { type: Type }>;

export function findInstance({ packs }: FleetState, packId: string, instanceId: string) {
  return packs.get(packId)?.instances.get(instanceId);
}
