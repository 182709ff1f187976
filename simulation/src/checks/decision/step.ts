import type { AuditEntry, PipelinePolicy } from "@baton/contract";
import type { Command, PipelineInput, PipelineRecord, PipelineState, Spend, World } from "../../kernel.ts";
import type { Branches } from "./branches.ts";

/** One decision about a pipeline. */
export interface Step {
  readonly pipelineId: string;
  readonly input: PipelineInput;
  readonly before: PipelineState | undefined;
  readonly world: World;
  readonly records: readonly PipelineRecord[];
  readonly audit: readonly AuditEntry[];
  readonly commands: readonly Command[];
  readonly after: PipelineState;
}

export interface Fold {
  readonly record: PipelineRecord;
  readonly before: PipelineState | undefined;
  readonly after: PipelineState;
}

/** The ledger of the checks. */
export interface Ledger {
  readonly spent: Spend;
  readonly held: ReadonlyMap<string, Spend>;
  readonly heldTotal: Spend;
}

/** What the checks know of a pipeline, independently of its state. */
export interface Model {
  readonly policy: PipelinePolicy | undefined;
  /** By place in the plan: its transitive dependents, derived from the submission. */
  readonly descendants: readonly ReadonlySet<number>[];
  readonly dispatched: Set<string>;
  readonly counted: Set<string>;
  /** By stage: rounds that started, and the last one that completed. */
  readonly rounds: number[];
  readonly completedRound: number[];
  retries: number;
  rejections: number;
  ledger: Ledger;
  /** By dispatch: what steps have spent before the result. */
  readonly early: Map<string, Spend>;
  /** What agents spent beyond their grants. */
  readonly excess: { tokens: number; costMicroUsd: number; steps: number };
  readonly auditIds: Set<string>;
  /** By place: whether it or a dependent is required. */
  readonly wanted: readonly boolean[];
  /** Stages that ended the workflow and were not rewound. */
  readonly ends: Set<number>;
  /** By version: the pipeline and the counters at that point. */
  readonly past: {
    readonly state: PipelineState;
    readonly retries: number;
    readonly rejections: number;
    readonly ends: readonly number[];
    readonly branches: Branches["recorded"];
  }[];
  readonly branches: Branches;
  /** Timers that are set, and when they fire. */
  readonly timers: Map<string, number>;
}
