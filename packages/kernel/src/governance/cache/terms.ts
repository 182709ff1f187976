import {
  CacheMode,
  type Governance,
  type PressureLevel,
  type RiskTier,
  RiskTolerance,
  type SubmitTaskRequest,
} from "@baton/contract";
import type { JsonObject } from "@bufbuild/protobuf";
import { durationMs } from "@bufbuild/protobuf/wkt";
import type { CacheSubject } from "./identity.ts";

/** On which terms a task reuses an outcome (SAP V2 §6). */
export interface CacheTerms {
  readonly mode: "prefer" | "only";
  /** Undefined accepts every age. */
  readonly maxAgeMs: number | undefined;
  readonly mustAlign: boolean;
  /** The only pack whose outcomes it takes; empty takes those of every pack. */
  readonly packId: string;
  readonly level: PressureLevel;
  readonly riskTier: RiskTier;
}

/** Undefined for a task that neither reuses nor stores an outcome. */
export function cacheTerms(governance: Governance | undefined, riskTier: RiskTier): CacheTerms | undefined {
  const policy = governance?.cachePolicy;
  if (!policy || policy.mode === CacheMode.BYPASS) return undefined;
  return {
    mode: policy.mode === CacheMode.ONLY ? "only" : "prefer",
    maxAgeMs: policy.maxAge && durationMs(policy.maxAge),
    mustAlign: policy.mustAlign,
    packId: governance.packId,
    level: governance.pressureLevel,
    riskTier,
  };
}

/** Whether outcomes of a task are reused and stored. */
export function isCached(governance: Governance | undefined): boolean {
  return governance?.cachePolicy !== undefined && governance.cachePolicy.mode !== CacheMode.BYPASS;
}

/** What identifies a governed task; undefined for other tasks. */
export function cacheSubject(
  tenantId: string,
  { governance, inputs, plan }: SubmitTaskRequest,
): CacheSubject | undefined {
  if (!governance) return undefined;
  const { sapVersion, capability, territory, principles, constraints, outputSchema, outputFormat } =
    governance;
  const outputContract: JsonObject = {
    ...(outputSchema && { schema: outputSchema }),
    ...(outputFormat !== "" && { format: outputFormat }),
  };
  return {
    ...{ tenantId, sapVersion, territory, principles, constraints, outputContract },
    capability: capability || (plan.case === "taskType" ? plan.value : ""),
    riskTolerance: RiskTolerance[governance.riskTolerance || RiskTolerance.MEDIUM],
    payload: inputs ?? {},
  };
}
