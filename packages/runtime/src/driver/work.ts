import type { AuditActor, AuditEventType, Event } from "@baton/contract";
import type { FleetInput, FleetProblem, PipelineInput, PipelineState, Problem } from "@baton/kernel";
import type { CallRow, StoredTimer, TurnRow } from "../ports/store.ts";

/** One thing that came in and is to be decided. */
export type Work = PipelineWork | FleetWork | EventWork | AuditWork;

export interface PipelineWork {
  readonly kind: "pipeline";
  readonly pipelineId: string;
  readonly input: PipelineInput;
  /** The command that this answers; it is crossed off with it. */
  readonly answers?: number | undefined;
  /** The timer that this is the ringing of. */
  readonly timer?: StoredTimer | undefined;
  readonly reply: Reply<Taken>;
}

export interface FleetWork {
  readonly kind: "fleet";
  readonly tenantId: string;
  readonly input: FleetInput;
  readonly reply: Reply<FleetProblem | undefined>;
}

/** What an agent tells while it works; all of it is stored together, and shown once it is. */
export interface EventWork {
  readonly kind: "event";
  readonly tenantId: string;
  readonly pipelineId: string;
  readonly stageId: string;
  readonly dispatchId: string;
  readonly events: readonly Event[];
  /** By event: ids of those that have become a part of it. */
  readonly joined?: ReadonlyMap<string, readonly string[]> | undefined;
  readonly turn?: TurnRow | undefined;
  readonly callsBegun?: readonly CallRow[] | undefined;
  readonly callsEnded?: readonly string[] | undefined;
  /** What is held back of the attempt from now on; empty when it is nothing any more. */
  readonly held?: string | undefined;
  readonly reply: Reply<void>;
}

/** An entry of the record that belongs to no pipeline and no agent. */
export interface AuditWork {
  readonly kind: "audit";
  readonly tenantId: string;
  readonly event: HubAuditEvent;
  readonly reply: Reply<void>;
}

/** What happened to the hub itself, or to those who call it. */
export interface HubAuditEvent {
  readonly eventType: AuditEventType;
  readonly actor: Pick<AuditActor, "type" | "id">;
  readonly action: string;
  readonly rationale: string;
}

/** What became of an input, told when it is durable. */
export type Taken =
  | {
      readonly accepted: true;
      readonly state: PipelineState;
      /** Whether this input made the pipeline. */
      readonly created: boolean;
    }
  | { readonly accepted: false; readonly problem: Problem };

/** How whoever gave the input hears of it. */
export interface Reply<Value> {
  done(value: Value): void;
  /** The store failed; nothing of it was kept. Without this the input waits until the store works again. */
  failed?(error: Error): void;
  /** The hub closed first: it is neither kept nor done. */
  closed?(error: Error): void;
}

export const nobody: Reply<unknown> = { done: () => {} };
