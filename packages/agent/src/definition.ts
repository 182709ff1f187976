import type { AgentResult } from "@baton/contract";
import type { JsonObject } from "@bufbuild/protobuf";
import type { Task } from "./task/task.ts";

export type RiskTierName = "low" | "normal" | "critical";
export type RoleName = "researcher" | "architect" | "developer" | "reviewer";

/**
 * What an agent is and does. All but `run`, `capacity` and `health` becomes its manifest; one version of a pack never
 * changes its manifest (A §3.1), so a change of it wants a new `version`.
 */
export interface AgentDefinition {
  /** The profession pack, such as `qa-engineer`. */
  readonly pack: string;
  /** MAJOR.MINOR.PATCH. */
  readonly version: string;
  /** Types of task it can do, as routes name them. */
  readonly taskTypes: readonly string[];
  /** Tools it brings. Tasks that need others are not sent here. */
  readonly tools?: readonly string[];
  /**
   * Does one task. Whatever it throws becomes a failure; nothing it does takes the agent down. After `task.signal` is
   * aborted, what it does counts for nothing.
   */
  run(task: Task): AgentResult | Promise<AgentResult>;

  /** Tasks at once in this process; 1 unless stated. */
  readonly capacity?: number;
  /** How the author sees the agent; asked before each heartbeat. Degraded tools are seen without it. */
  health?(): "healthy" | "degraded" | "unhealthy";

  /** What it is for, for people who choose between packs. */
  readonly description?: string;
  /** Tools it needs and does not bring. */
  readonly requiredTools?: readonly string[];
  /** Modules or services it knows. */
  readonly ownerDomains?: readonly string[];
  /** The role it plays in turns (SAOP §1); developer unless stated. */
  readonly role?: RoleName;
  /** JSON Schema of the `data` in its answers. */
  readonly dataSchema?: JsonObject;
  /** The highest risk it is trusted with; normal unless stated. */
  readonly safetyTier?: RiskTierName;
  /** Risk tiers it takes; all up to `safetyTier` unless stated. */
  readonly acceptedRiskTiers?: readonly RiskTierName[];
  /** Semver ranges; everything compatible with this SDK's contract unless stated. */
  readonly supportedSchemaVersions?: readonly string[];
  readonly capabilitySchemaVersion?: string;
  readonly minOrchestratorVersion?: string;
  /** What any instance of the pack does at once, at the most. Not stated unless stated here. */
  readonly maxConcurrentTasks?: number;
  /** The longest task it takes. */
  readonly maxTaskDurationMs?: number;
}
