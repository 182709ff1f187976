import type { AuditEntry, PipelinePolicy } from "@baton/contract";
import type { Command, PipelineInput, PipelineRecord, PipelineState, Spend, World } from "../../kernel.ts";
import type { Branches } from "./branches.ts";

/** One decision about a pipeline, as it was stored. */
export interface Step {
  readonly pipelineId: string;
  readonly input: PipelineInput;
  readonly before: PipelineState | undefined;
  readonly world: World;
  readonly records: readonly PipelineRecord[];
  readonly audit: readonly AuditEntry[];
  readonly commands: readonly Command[];
  /** The state that the decision says it leads to. */
  readonly after: PipelineState;
}

/** A record with the states around it. */
export interface Fold {
  readonly record: PipelineRecord;
  readonly before: PipelineState | undefined;
  readonly after: PipelineState;
}

/** Ledger that the checks keep for themselves. */
export interface Ledger {
  readonly spent: Spend;
  readonly held: ReadonlyMap<string, Spend>;
  readonly heldTotal: Spend;
}

/** What the checks know of a pipeline by themselves, apart from what its state says. */
export interface Memory {
  readonly policy: PipelinePolicy | undefined;
  /** By place in the plan: all that waits for it, found from the pipeline as it was submitted. */
  readonly descendants: readonly ReadonlySet<number>[];
  readonly dispatched: Set<string>;
  /** Dispatches whose result counted. */
  readonly counted: Set<string>;
  /** By stage: how many rounds began, and the last one that completed. */
  readonly rounds: number[];
  readonly completedRound: number[];
  retries: number;
  rejections: number;
  ledger: Ledger;
  /** What agents spent beyond what they were given. */
  readonly excess: { tokens: number; costMicroUsd: number; steps: number };
  readonly auditIds: Set<string>;
  /** By place: whether it is required, or anything that waits for it. */
  readonly wanted: readonly boolean[];
  /** Stages that have ended the workflow and were not taken back. */
  readonly ends: Set<number>;
  /** By version: the pipeline as it was, and what was counted until then. */
  readonly past: {
    readonly state: PipelineState;
    readonly retries: number;
    readonly rejections: number;
    readonly ends: readonly number[];
    readonly branches: Branches["recorded"];
  }[];
  readonly branches: Branches;
  /** Timers that were set, and neither rang nor were cleared; with their moments. */
  readonly timers: Map<string, number>;
}
