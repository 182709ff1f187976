import type { AgentResult } from "@baton/contract";
import type { JsonObject } from "@bufbuild/protobuf";
import type { HubOptions } from "../hub-client.ts";
import type { OnProblem } from "../problem.ts";
import type { Task } from "./task.ts";

export type RiskTierName = "low" | "normal" | "critical";
export type RoleName = "researcher" | "architect" | "developer" | "reviewer";

/**
 * What an agent is and does. Everything except `run`, `capacity` and `health` goes into its manifest. The manifest of a
 * pack version never changes (A §3.1): to change it, raise `version`.
 */
export interface AgentDefinition {
  /** The profession pack, such as `qa-engineer`. */
  readonly pack: string;
  /** MAJOR.MINOR.PATCH. */
  readonly version: string;
  /** The task types it does, as routes name them. */
  readonly taskTypes: readonly string[];
  /** Tools it provides. Tasks that need other tools are not sent to it. */
  readonly tools?: readonly string[];
  /**
   * Does one task. An error that it throws fails the attempt and leaves the agent running. Once `task.signal` is
   * aborted, what it returns is discarded.
   */
  run(task: Task): AgentResult | Promise<AgentResult>;

  /** Concurrent tasks of this process. Default: 1. */
  readonly capacity?: number;
  /** The agent's own view of its health, read before each heartbeat. Degraded tools are detected without it. */
  health?(): "healthy" | "degraded" | "unhealthy";

  /**
   * Digests of what makes it the agent that it is, such as its prompt, model and tools, by the names of these parts. Read before each
   * heartbeat; those that were reported last are part of each decision to send it a task.
   */
  digests?(): Readonly<Record<string, string>>;

  /** What it is for, shown to people who choose between packs. */
  readonly description?: string;
  /** Tools it needs and does not provide. */
  readonly requiredTools?: readonly string[];
  /** Modules or services it knows. */
  readonly ownerDomains?: readonly string[];
  /** Its role in turns (SAOP §1). Default: developer. */
  readonly role?: RoleName;
  /** JSON Schema of the `data` in its results. */
  readonly dataSchema?: JsonObject;
  /** The highest risk it is trusted with. Default: normal. */
  readonly safetyTier?: RiskTierName;
  /** Risk tiers it accepts. Default: all up to `safetyTier`. */
  readonly acceptedRiskTiers?: readonly RiskTierName[];
  /** Semver ranges. Default: everything compatible with this SDK's contract. */
  readonly supportedSchemaVersions?: readonly string[];
  readonly capabilitySchemaVersion?: string;
  readonly minOrchestratorVersion?: string;
  /** Concurrent tasks of any instance of the pack. Default: not limited. */
  readonly maxConcurrentTasks?: number;
  /** The longest task it accepts. */
  readonly maxTaskDurationMs?: number;
}

/** Options of every agent, whether it attaches or listens. */
export interface AgentOptions extends AgentDefinition, HubOptions {
  /** Identifies this process of the pack; two processes must not share an id. Default: random. */
  readonly instanceId?: string;
  /** Receives problems that no call reports. Default: one line on stderr. */
  readonly onProblem?: OnProblem;
  /** Close on SIGTERM and SIGINT; a second signal ends the process at once. Default: true. */
  readonly handleSignals?: boolean;
  /** How long the hub may be unreachable before the agent gives up. Default: forever. */
  readonly giveUpAfterMs?: number;
}

export interface CloseOptions {
  /** How long running tasks may continue before they are stopped. Default: 30 seconds. */
  readonly graceMs?: number;
}
