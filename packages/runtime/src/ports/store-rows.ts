/** What a store keeps: batches as the engine writes them, and rows as the store returns them. */

/**
 * Identifies a batch. A writer numbers its batches from one without a gap. The store keeps the last number of each writer with
 * the batch, so that a writer whose answer was lost learns from `lastBatch` whether the batch is stored.
 */
export interface BatchId {
  readonly writer: string;
  readonly sequence: number;
}

/** Stored together. `completedCommands` and `firedTimers` apply first: what a transition sets in the same batch stays. */
export interface Batch {
  readonly id: BatchId;
  /** At most one for each pipeline. */
  readonly transitions: readonly Transition[];
  readonly fleet: readonly FleetRow[];
  /** Sequences continue those of the tenant. */
  readonly audit: readonly AuditRow[];
  /** Sequences continue those of the tenant. */
  readonly events: readonly EventRow[];
  /** Ids of executed commands; unknown ids are ignored. */
  readonly completedCommands: readonly number[];
  /** Timers that fired and were handled. A timer that was set to another time since stays. */
  readonly firedTimers: readonly StoredTimer[];
  /** A turn that is stored already stays as it is. */
  readonly turns: readonly TurnRow[];
  /** A call that is open already stays as it is. */
  readonly callsBegun: readonly CallRow[];
  /** Applied after `callsBegun`; unknown calls are ignored. */
  readonly callsEnded: readonly Pick<CallRow, "dispatchId" | "callId">[];
  /** Replaces the held-back text of the attempt; an empty text removes it. */
  readonly held: readonly HeldRow[];
  /** Added to what the day has already. */
  readonly spend: readonly SpendRow[];
  /** Replaces the step of the attempt with the same ordinal. */
  readonly steps: readonly StepRow[];
  /** Appended in this order. */
  readonly knowledge: readonly NewKnowledge[];
}

/** The change of one pipeline in a batch. */
export interface Transition {
  readonly pipelineId: string;
  /** Number of records in the journal before; zero creates the pipeline. */
  readonly expectedVersion: number;
  /** The decided records as one text, and their count. */
  readonly records: { readonly text: string; readonly count: number };
  /** Contents that the text refers to. The store keeps each content of a pipeline once. */
  readonly contents: readonly Content[];
  /** The pipeline after the change. Tenant, template, name and time of creation never change. */
  readonly row: PipelineRow;
  readonly commands: readonly StoredCommand[];
  /** Set, or set to another time. */
  readonly timersSet: readonly StoredTimer[];
  /** Applied after `timersSet`. */
  readonly timersCleared: readonly string[];
  /** Raised or resolved. */
  readonly escalations: readonly EscalationRow[];
  /** Stages whose state changed. */
  readonly tasks: readonly TaskRow[];
}

/** The state of a stage (SAOP §5 `tasks`). */
export interface TaskRow {
  readonly stageId: string;
  readonly state: string;
  /** The commit of the transition; undefined keeps the commit of an earlier one. */
  readonly headHash: string | undefined;
}

/** A turn as the agent reported it (SAOP §5 `agent_logs`). */
export interface TurnRow {
  readonly tenantId: string;
  readonly pipelineId: string;
  readonly dispatchId: string;
  readonly turnIndex: number;
  /** The turn in the JSON of SAOP. */
  readonly envelope: string;
  /** The event that published it. */
  readonly eventId: string;
  readonly packId: string;
  readonly atMs: number;
}

/** A tool call that has begun. */
export interface CallRow {
  readonly tenantId: string;
  readonly pipelineId: string;
  readonly dispatchId: string;
  readonly callId: string;
  readonly tool: string;
  readonly atMs: number;
}

/** Text that an agent reported and that is not published yet, since it may be part of a secret. Recovery continues with it. */
export interface HeldRow {
  readonly tenantId: string;
  readonly pipelineId: string;
  readonly dispatchId: string;
  readonly text: string;
}

/** What a tenant spent in a day, by agent, template and model (SAC-12). Amounts end at `maxAmount`. */
export interface SpendRow extends SpendAmounts {
  readonly tenantId: string;
  /** Days since 1970, in UTC. */
  readonly day: number;
  readonly packId: string;
  /** Empty for runs without a template. */
  readonly templateId: string;
  /** Both empty for usage that names no model. */
  readonly provider: string;
  readonly model: string;
}

export interface SpendAmounts {
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly reasoningTokens: number;
  readonly costMicroUsd: number;
  /** Some of it has no price. */
  readonly costUnknown: boolean;
}

export const maxAmount: number = Number.MAX_SAFE_INTEGER;

/** What a tenant spent in a day, in all. */
export interface DaySpend {
  readonly tenantId: string;
  readonly day: number;
  readonly tokens: number;
  readonly costMicroUsd: number;
}

/** A step of an attempt (PIP-11). Both parts are stored as received, encrypted. */
export interface StepRow {
  readonly tenantId: string;
  readonly pipelineId: string;
  readonly dispatchId: string;
  /** Its number among the steps of the attempt, from one. */
  readonly ordinal: number;
  readonly atMs: number;
  /** The contract's Step, without its value. */
  readonly info: Uint8Array;
  /** The value as JSON text in UTF-8; empty for none, and when it was not asked for. */
  readonly value: Uint8Array;
  /** Size of the value. */
  readonly valueBytes: number;
}

/**
 * Something that later tasks may reuse (SAP-05, SAP-06): an outcome in the cache, a signal, a version of heuristics, an artifact of
 * the library. Rows are appended, never changed and never removed; the newest row of a key counts. The content is encrypted.
 */
export interface KnowledgeRow {
  readonly tenantId: string;
  /** Its kind, such as `cache`. */
  readonly topic: string;
  /** Its subject within the topic. */
  readonly key: string;
  /** Assigned by the store; grows. */
  readonly sequence: number;
  readonly atMs: number;
  readonly content: Uint8Array;
}

export type NewKnowledge = Omit<KnowledgeRow, "sequence">;

/** The text of a `HeldRow` whose content is unknown: the attempt was running in a store that did not keep held-back text. */
export const heldUnknown = "?";

/**
 * How much `prune` keeps. Undefined keeps everything; bytes are per tenant. Steps are kept as long as turns, and those of
 * pipelines that have not ended as long as these.
 */
export interface Retention {
  readonly events: RetentionShare;
  readonly turns: RetentionShare;
}

export interface RetentionShare {
  readonly fromMs: number | undefined;
  readonly bytes: number | undefined;
}

/** A message or a long text, stored once by its digest. */
export interface Content {
  /** SHA-256, 32 bytes in base64url without padding. */
  readonly digest: string;
  readonly bytes: Uint8Array;
}

export interface StoredJournal {
  readonly pipelineId: string;
  /** Texts of the transitions, oldest first. */
  readonly texts: readonly string[];
  /** The number of records in them, which the next transition expects. */
  readonly version: number;
  /** Contents that the texts refer to, by digest. */
  readonly contents: ReadonlyMap<string, Uint8Array>;
}

export interface StoredCommand {
  /** Assigned by the engine; grows. */
  readonly id: number;
  readonly pipelineId: string;
  readonly text: string;
}

export interface StoredTimer {
  readonly pipelineId: string;
  readonly timerId: string;
  readonly atMs: number;
}

export interface TenantHead {
  readonly tenantId: string;
  /** Those of the last audit entry; zero and undefined without entries. */
  readonly auditSequence: bigint;
  readonly auditHash: Uint8Array | undefined;
  /** That of the last event; zero without events. */
  readonly eventSequence: bigint;
}

export interface FleetRow {
  readonly tenantId: string;
  readonly text: string;
}

/** A pipeline as lists show it. */
export interface PipelineRow {
  readonly pipelineId: string;
  readonly tenantId: string;
  /** Name of the contract's PipelineStatus without its prefix. */
  readonly status: string;
  /** Ended pipelines are not loaded at start-up. */
  readonly ended: boolean;
  readonly templateId: string;
  readonly pipelineName: string;
  readonly taskId: string;
  /** Name of the contract's RiskTier without its prefix. */
  readonly riskTier: string;
  /** As `framed` writes them: `name=value`. */
  readonly labels: string;
  /** As `framed` writes them: packs with an attempt, and their instances as `pack/instance`. */
  readonly agents: string;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  /** The view of an ended pipeline, so that lists need not replay its journal. */
  readonly view: Uint8Array | undefined;
}

/** A pipeline in a list, with what other tables know about it. */
export interface ListedPipelineRow extends PipelineRow {
  /** Whether it has an open escalation. */
  readonly waitsForPerson: boolean;
}

export interface EscalationRow {
  readonly escalationId: string;
  readonly tenantId: string;
  readonly pipelineId: string;
  readonly stageId: string;
  /** Names of the contract's EscalationKind and RiskTier without their prefixes. */
  readonly kind: string;
  readonly riskTier: string;
  readonly raisedAtMs: number;
  readonly resolvedAtMs: number | undefined;
  /** The contract's Escalation. */
  readonly escalation: Uint8Array;
}

export interface AuditRow {
  readonly tenantId: string;
  readonly sequence: bigint;
  readonly auditId: string;
  /** Empty for entries about the fleet or the hub. */
  readonly pipelineId: string;
  /** Name of the contract's AuditEventType without its prefix. */
  readonly eventType: string;
  readonly atMs: number;
  /** Hash of the entry; the next entry carries it. */
  readonly hash: Uint8Array;
  /** The contract's AuditEntry, chained. */
  readonly entry: Uint8Array;
}

/** An entry with its place in the hash chain. */
export type RecordedEntry = Pick<AuditRow, "sequence" | "hash" | "entry">;

/** The record of a tenant ended at `last` once and lacks entries from `first` on, or some entry before `last`. */
export interface LostEntries {
  readonly tenantId: string;
  readonly first: bigint;
  readonly last: bigint;
}

/** A signed state of a tenant's record. */
export interface CheckpointRow {
  readonly tenantId: string;
  readonly sequence: bigint;
  /** The contract's AuditCheckpoint. */
  readonly checkpoint: Uint8Array;
  /** The key that verifies the signature, kept here because key files may be lost. */
  readonly publicKey: Uint8Array;
  /** Roots of the perfect subtrees at that entry, 32 bytes each, from which the tree continues. */
  readonly peaks: Uint8Array;
}

/** Covers the 2^level entries from `index` × 2^level on. */
export interface TreePosition {
  readonly level: number;
  readonly index: bigint;
}

export interface StoredNode extends TreePosition {
  readonly hash: Uint8Array;
}

/** Consecutive events of one tenant. */
export interface EventRow {
  readonly tenantId: string;
  readonly firstSequence: bigint;
  readonly lastSequence: bigint;
  readonly atMs: number;
  /** The events as `events/` encodes them. */
  readonly events: Uint8Array;
}
