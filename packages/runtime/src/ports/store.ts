/**
 * Where the hub keeps everything durable, in four parts, one for each kind of caller.
 *
 * S1. A batch is stored whole or not at all, and is durable when `commit` resolves.
 * S2. A journal grows only from the version its writer has seen; otherwise nothing of the batch is stored.
 * S3. Journals, audit records and knowledge are never changed and never removed.
 * S4. A read sees everything committed before it began, and nothing uncommitted.
 * S5. Batches may be committed without waiting for the answer to the previous one. They are stored in the order of the calls.
 *     After a failure, none of those already passed to the store is stored.
 * S6. The batches of a writer are stored in the order of their numbers, without a gap.
 *
 * A store keeps text and bytes without interpreting them; `journal/` encodes and decodes them.
 */
import type {
  AuditField,
  EscalationField,
  KnowledgeQuery,
  PipelineField,
  Query,
  SpendQuery,
} from "./store-query.ts";
import type {
  AuditRow,
  Batch,
  CallRow,
  CheckpointRow,
  DaySpend,
  EscalationRow,
  EventRow,
  FleetRow,
  HeldRow,
  KnowledgeRow,
  ListedPipelineRow,
  LostEntries,
  PipelineRow,
  RecordedEntry,
  Retention,
  SpendRow,
  StepRow,
  StoredCommand,
  StoredJournal,
  StoredNode,
  StoredTimer,
  TaskRow,
  TenantHead,
  TreePosition,
  TurnRow,
} from "./store-rows.ts";

export * from "./store-query.ts";
export * from "./store-rows.ts";

export interface Store extends JournalStore, QueryStore, AuditStore, MaintenanceStore {}

/** For the engine: commits decisions, and returns everything that recovery needs. */
export interface JournalStore {
  /**
   * Throws `Conflict` when a journal has moved (S2), `OutOfSequence` when the batch is not the next of its writer (S6), or
   * `StoreUnavailable`; a batch that breaks another rule of `Batch` has code BATON-STORE-008. Except after a lost answer,
   * nothing of the batch is stored then. Batches behind a failed one fail with the same error (S5).
   */
  commit(batch: Batch): Promise<void>;
  /** The number of the last batch of a writer that is stored; zero without one. */
  lastBatch(writer: string): Promise<number>;
  /** Every tenant that has an audit entry or an event. */
  heads(): Promise<readonly TenantHead[]>;
  /** The newest time in any row of a pipeline, in milliseconds; zero without pipelines. */
  newestMs(): Promise<number>;
  journal(pipelineId: string): Promise<StoredJournal | undefined>;
  /** Journals of pipelines that have not ended, in pages, in no particular order. */
  openJournals(): AsyncIterable<readonly StoredJournal[]>;
  /** Commands that are not known to be executed, in the order in which they were decided. */
  outbox(): Promise<readonly StoredCommand[]>;
  timers(): Promise<readonly StoredTimer[]>;
  /** In the order in which they were decided. */
  fleet(): AsyncIterable<readonly FleetRow[]>;
  /** Tool calls that have not ended, in the order in which they began. */
  openCalls(): Promise<readonly CallRow[]>;
  /** The held-back texts of attempts, in no particular order. */
  heldBack(): Promise<readonly HeldRow[]>;
  /** What each tenant spent on each day from this one on, in no particular order. */
  spentSince(day: number): Promise<readonly DaySpend[]>;
}

/** For lists, details and watchers. */
export interface QueryStore {
  pipeline(pipelineId: string): Promise<PipelineRow | undefined>;
  pipelines(query: Query<PipelineField>): Promise<readonly ListedPipelineRow[]>;
  escalation(escalationId: string): Promise<EscalationRow | undefined>;
  escalations(query: Query<EscalationField>): Promise<readonly EscalationRow[]>;
  /**
   * Events with a sequence above `after`, oldest first, about `limit` at most. Rows are returned whole: the first row may begin
   * with events that are not above.
   */
  events(tenantId: string, after: bigint, limit: number): Promise<readonly EventRow[]>;
  /** Turns of an attempt with an index above `after`, by index, at most `limit`. */
  turns(dispatchId: string, after: number, limit: number): Promise<readonly TurnRow[]>;
  hasTurn(dispatchId: string, turnIndex: number): Promise<boolean>;
  /** Spending, added up; at most `limit` rows, by day, then the most expensive first. */
  spend(query: SpendQuery): Promise<readonly SpendRow[]>;
  /**
   * Steps of an attempt with an ordinal above `after`, by ordinal, at most `limit`: as many as have values of `valueBytes`
   * together, and at least one. With `valueBytes` zero the values are left out.
   */
  steps(dispatchId: string, after: number, limit: number, valueBytes: number): Promise<readonly StepRow[]>;
  /** The newest first. */
  knowledge(query: KnowledgeQuery): Promise<readonly KnowledgeRow[]>;
  /** The states of the stages of a pipeline that have moved, by stage id. */
  tasks(pipelineId: string): Promise<readonly TaskRow[]>;
}

/** For the audit record: its entries, its checkpoints, and the hash tree over it. */
export interface AuditStore {
  auditEntries(query: Query<AuditField>): Promise<readonly AuditRow[]>;
  /** The entries of a tenant after a sequence, in order, about `limit` at most; empty at the end of the record. */
  auditRecord(tenantId: string, after: bigint, limit: number): Promise<readonly RecordedEntry[]>;
  /** Audit entries that journals were committed with and that the record lacks, by tenant. */
  lostEntries(): Promise<readonly LostEntries[]>;
  /** Checkpoints of a tenant above a sequence, in order, at most `limit`. */
  checkpoints(tenantId: string, after: bigint, limit: number): Promise<readonly CheckpointRow[]>;
  lastCheckpoint(tenantId: string): Promise<CheckpointRow | undefined>;
  /** Hashes of full nodes of the tree over a tenant's record; undefined for nodes that are not kept. */
  treeNodes(
    tenantId: string,
    positions: readonly TreePosition[],
  ): Promise<readonly (Uint8Array | undefined)[]>;
  /** Durable when it resolves. A sequence that is not above the last checkpoint's is refused. */
  keepCheckpoint(row: CheckpointRow, nodes: readonly StoredNode[]): Promise<void>;
}

/** For operating the store. */
export interface MaintenanceStore {
  /**
   * Removes some events, turns and steps beyond the retention, the oldest of a tenant first. The last events of a tenant stay, since the
   * next ones continue their sequence. Resolves to whether there may be more to remove.
   */
  prune(keep: Retention): Promise<boolean>;
  /** Writes a copy of everything committed so far while the hub runs. Throws when the path exists. */
  backup(path: string): Promise<void>;
  /** Describes the faults of the store; empty for a sound one. */
  check(): Promise<readonly string[]>;
  /** Committed batches stay; later calls throw `StoreUnavailable`. */
  close(): Promise<void>;
}
