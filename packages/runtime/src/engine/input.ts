import type { Event } from "@baton/contract";
import type { FleetInput, FleetProblem, PipelineInput, PipelineState, Problem } from "@baton/kernel";
import type { HubAuditEvent } from "../audit/hub-events.ts";
import type { CallRow, NewKnowledge, StepRow, StoredTimer, TurnRow } from "../ports/store.ts";

/** An input that waits for a decision, with the callbacks for its result. */
export type EngineInput = PipelineRequest | FleetRequest | EventRequest | AuditRequest;

export interface PipelineRequest {
  readonly kind: "pipeline";
  readonly pipelineId: string;
  readonly input: PipelineInput;
  /** The command that this input answers; it completes in the same transaction. */
  readonly answers?: number | undefined;
  /** The timer that fired. */
  readonly timer?: StoredTimer | undefined;
  /** Stored with the record of the step. */
  readonly step?: Omit<StepRow, "ordinal" | "atMs"> | undefined;
  readonly reply: Reply<InputResult>;
}

export interface FleetRequest {
  readonly kind: "fleet";
  readonly tenantId: string;
  readonly input: FleetInput;
  readonly reply: Reply<FleetProblem | undefined>;
}

/** Events that an agent reported. They are stored together and published when they are durable. */
export interface EventRequest {
  readonly kind: "event";
  readonly tenantId: string;
  readonly pipelineId: string;
  readonly stageId: string;
  readonly dispatchId: string;
  readonly events: readonly Event[];
  /** By event: ids of the events that were merged into it. */
  readonly joined?: ReadonlyMap<string, readonly string[]> | undefined;
  readonly turn?: TurnRow | undefined;
  readonly callsBegun?: readonly CallRow[] | undefined;
  readonly callsEnded?: readonly string[] | undefined;
  /** The held-back text of the attempt from now on; empty when nothing is held back. */
  readonly held?: string | undefined;
  readonly reply: Reply<void>;
}

/** An audit entry about the hub itself. */
export interface AuditRequest {
  readonly kind: "audit";
  readonly tenantId: string;
  readonly event: HubAuditEvent;
  /** Stored with the entry, which has their digests. */
  readonly knowledge?: readonly NewKnowledge[] | undefined;
  readonly reply: Reply<void>;
}

/** The result of a pipeline input, available when it is durable. */
export type InputResult =
  | {
      readonly accepted: true;
      readonly state: PipelineState;
      /** Whether this input created the pipeline. */
      readonly created: boolean;
    }
  | { readonly accepted: false; readonly problem: Problem };

export interface Reply<Value> {
  /** The result is durable. */
  done(value: Value): void;
  /** The store failed and kept nothing. Without this callback the input waits until the store works again. */
  failed?(error: Error): void;
  /** The hub closed first: the input was neither stored nor executed. */
  closed?(error: Error): void;
}

export const noReply: Reply<unknown> = { done: () => {} };

export function wakeRequest(pipelineId: string): PipelineRequest {
  return { kind: "pipeline", pipelineId, input: { type: "wake" }, reply: noReply };
}
