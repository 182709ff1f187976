/**
 * Where the hub keeps what was decided. Everything the hub knows is either in here or comes again by itself.
 *
 * S1. A batch is stored whole or not at all, and is durable when `commit` resolves.
 * S2. A journal grows only from the version its writer has seen; otherwise nothing of the batch is stored.
 * S3. What is in a journal or in the audit record is never changed and never removed.
 * S4. Reads see everything that was committed before they began, and nothing that was not.
 * S5. A batch may be given while others are on their way. They are stored in the order in which they were given; when one is
 *     not stored, neither are those that were given behind it before that was told.
 *
 * What a store keeps is text and bytes. What they mean is not its business: `journal/` writes and reads them.
 */
export interface Store {
  /**
   * Throws `Conflict` or `StoreUnavailable`; then nothing of the batch is stored. What breaks a rule of `Batch` is
   * refused with BATON-STORE-008. A batch behind one that failed fails with the same error.
   */
  commit(batch: Batch): Promise<void>;

  // To go on after a restart.

  /** Of every tenant that has any audit entry or event. */
  heads(): Promise<readonly TenantHead[]>;
  /** The newest instant in any row of a pipeline, in milliseconds; zero when there is none. */
  newestMs(): Promise<number>;
  /** Journals of pipelines that have not ended, a few at a time, in no particular order. */
  openJournals(): AsyncIterable<readonly StoredJournal[]>;
  /** Commands that are not known to have been carried out, in the order in which they were decided. */
  outbox(): Promise<readonly StoredCommand[]>;
  timers(): Promise<readonly StoredTimer[]>;
  /** In the order in which they were decided. */
  fleet(): AsyncIterable<readonly FleetRow[]>;
  /** Calls of tools that have not come to an end, in the order in which they began. */
  openCalls(): Promise<readonly CallRow[]>;
  /** What was held back of attempts, in no particular order. */
  heldBack(): Promise<readonly HeldRow[]>;

  // To answer questions.

  journal(pipelineId: string): Promise<StoredJournal | undefined>;
  pipeline(pipelineId: string): Promise<PipelineRow | undefined>;
  pipelines(query: Query<PipelineField>): Promise<readonly ListedPipelineRow[]>;
  escalation(escalationId: string): Promise<EscalationRow | undefined>;
  escalations(query: Query<EscalationField>): Promise<readonly EscalationRow[]>;
  auditEntries(query: Query<AuditField>): Promise<readonly AuditRow[]>;
  /** A tenant's record from an entry on, in its order, at most about `limit` entries; without any when there are no more. */
  auditRecord(tenantId: string, after: bigint, limit: number): Promise<readonly RecordedEntry[]>;
  /** Audit entries that journals were committed with and that the record has lost, by tenant. */
  lostEntries(): Promise<readonly LostEntries[]>;
  /** Checkpoints of a tenant's record above a sequence, by their sequence, at most `limit`. */
  checkpoints(tenantId: string, after: bigint, limit: number): Promise<readonly CheckpointRow[]>;
  lastCheckpoint(tenantId: string): Promise<CheckpointRow | undefined>;
  /** Hashes of full nodes of the tree over a tenant's record, of those that are kept. */
  treeNodes(tenantId: string, places: readonly TreePlace[]): Promise<readonly (Uint8Array | undefined)[]>;
  /**
   * Events with a sequence above `after`, oldest first, at most about `limit` of them. Rows are handed over whole: the
   * first may begin with events that are not above.
   */
  events(tenantId: string, after: bigint, limit: number): Promise<readonly EventRow[]>;
  /** Turns of an attempt with an index above `after`, by their index, at most `limit`. */
  turns(dispatchId: string, after: number, limit: number): Promise<readonly TurnRow[]>;
  hasTurn(dispatchId: string, turnIndex: number): Promise<boolean>;
  /** Where the stages of a pipeline are, of those that have moved, by their ids. */
  tasks(pipelineId: string): Promise<readonly TaskRow[]>;

  // To vouch for the record.

  /** Durable when it resolves. Its sequence is above that of the one before; otherwise nothing is kept. */
  keepCheckpoint(row: CheckpointRow, nodes: readonly KeptNode[]): Promise<void>;

  // To look after it.

  /**
   * Removes a few events and turns that are older or more than what is to be kept, the oldest of a tenant first, and never
   * its last events: the next go on from them. Whether there may be more to remove.
   */
  prune(keep: Retention): Promise<boolean>;
  /** Writes a copy of everything committed so far, while the hub goes on. Throws when there is something at the path. */
  backup(path: string): Promise<void>;
  /** What is wrong with what is stored; empty when nothing is. */
  check(): Promise<readonly string[]>;
  /** What was committed stays; what is called afterwards throws `StoreUnavailable`. */
  close(): Promise<void>;
}

/** What is stored together. `carriedOut` and `rung` come first: what a transition sets in the same batch stays. */
export interface Batch {
  /** At most one of each pipeline. */
  readonly transitions: readonly Transition[];
  readonly fleet: readonly FleetRow[];
  /** Sequences go on where those of the tenant end. */
  readonly audit: readonly AuditRow[];
  /** Sequences go on where those of the tenant end. */
  readonly events: readonly EventRow[];
  /** Commands that were carried out, by their ids; unknown ones mean nothing. */
  readonly carriedOut: readonly number[];
  /** Timers that rang and have been dealt with, unless they were set to another time since. */
  readonly rung: readonly StoredTimer[];
  /** One that is there already is not stored again, whatever it says. */
  readonly turns: readonly TurnRow[];
  /** One that is open already stays as it is. */
  readonly callsBegun: readonly CallRow[];
  /** After `callsBegun`; unknown ones mean nothing. */
  readonly callsEnded: readonly Pick<CallRow, "dispatchId" | "callId">[];
  /** In place of what was held back of the attempt before; one without a text removes it. */
  readonly held: readonly HeldRow[];
}

/** How a pipeline moved. */
export interface Transition {
  readonly pipelineId: string;
  /** Records in the journal before; zero makes the pipeline. */
  readonly expectedVersion: number;
  /** The decided records, written as one text, and how many they are. */
  readonly records: { readonly text: string; readonly count: number };
  /** What the text refers to. What the pipeline has already is kept once. */
  readonly contents: readonly Content[];
  /** The pipeline as it is afterwards. Tenant, template, name and the time of making stay what they were at first. */
  readonly row: PipelineRow;
  readonly commands: readonly StoredCommand[];
  /** Set or set anew. */
  readonly timersSet: readonly StoredTimer[];
  /** After `timersSet`: in one batch nothing is set that is cleared. */
  readonly timersCleared: readonly string[];
  /** Raised, or as they are once answered. */
  readonly escalations: readonly EscalationRow[];
  /** Stages that have moved. */
  readonly tasks: readonly TaskRow[];
}

/** Where a stage is (SAOP §5 `tasks`). */
export interface TaskRow {
  readonly stageId: string;
  readonly state: string;
  /** The commit that came with a transition; without one, that of an earlier transition stays. */
  readonly headHash: string | undefined;
}

/** A turn of an agent, as it said it (SAOP §5 `agent_logs`). */
export interface TurnRow {
  readonly tenantId: string;
  readonly pipelineId: string;
  readonly dispatchId: string;
  readonly turnIndex: number;
  /** The whole turn as SAOP writes it. */
  readonly envelope: string;
  /** The event by which watchers were told of it. */
  readonly eventId: string;
  readonly packId: string;
  readonly atMs: number;
}

/** A call of a tool that was heard to begin. */
export interface CallRow {
  readonly tenantId: string;
  readonly pipelineId: string;
  readonly dispatchId: string;
  readonly callId: string;
  readonly tool: string;
  readonly atMs: number;
}

/** What an agent told and nobody was told yet, since it may be a part of a secret: for the next life of the hub alone. */
export interface HeldRow {
  readonly tenantId: string;
  readonly pipelineId: string;
  readonly dispatchId: string;
  readonly text: string;
}

/**
 * In place of what was held back, where nobody knows what it was: of attempts that were under way when a store was written
 * that did not keep it.
 */
export const heldUnknown = "?";

/** How much stays; undefined is all. Bytes are those of each tenant. */
export interface Retention {
  readonly events: RetentionShare;
  readonly turns: RetentionShare;
}

export interface RetentionShare {
  readonly fromMs: number | undefined;
  readonly bytes: number | undefined;
}

/** Bytes of a message or of a long text, kept once by their digest. */
export interface Content {
  /** SHA-256, 32 bytes in base64url without padding. */
  readonly digest: string;
  readonly bytes: Uint8Array;
}

export interface StoredJournal {
  readonly pipelineId: string;
  /** Texts of the transitions, oldest first. */
  readonly texts: readonly string[];
  /** How many records they hold: what the next transition expects. */
  readonly version: number;
  /** What the texts refer to, by digest. */
  readonly contents: ReadonlyMap<string, Uint8Array>;
}

export interface StoredCommand {
  /** Given by the hub; grows. */
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
  /** Of the last audit entry; zero and undefined when there is none. */
  readonly auditSequence: bigint;
  readonly auditHash: Uint8Array | undefined;
  /** Of the last event; zero when there is none. */
  readonly eventSequence: bigint;
}

export interface FleetRow {
  readonly tenantId: string;
  readonly text: string;
}

/** A pipeline as it is listed. */
export interface PipelineRow {
  readonly pipelineId: string;
  readonly tenantId: string;
  /** Name of the contract's PipelineStatus without its prefix. */
  readonly status: string;
  /** Ended pipelines are not loaded at the start. */
  readonly ended: boolean;
  readonly templateId: string;
  readonly pipelineName: string;
  readonly taskId: string;
  /** Name of the contract's RiskTier without its prefix. */
  readonly riskTier: string;
  /** As `framed` writes them: `name=value`. */
  readonly labels: string;
  /** As `framed` writes them: packs that have had an attempt, and their instances as `pack/instance`. */
  readonly agents: string;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  /** How an ended pipeline is shown, so that a list need not replay it. */
  readonly view: Uint8Array | undefined;
}

/** A pipeline in a list, with what is known of it beside its own row. */
export interface ListedPipelineRow extends PipelineRow {
  /** Whether a question of it is open. */
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
  /** Empty for what concerns the fleet. */
  readonly pipelineId: string;
  /** Name of the contract's AuditEventType without its prefix. */
  readonly eventType: string;
  readonly atMs: number;
  /** Hash of the entry, which the next one carries. */
  readonly hash: Uint8Array;
  /** The contract's AuditEntry, chained. */
  readonly entry: Uint8Array;
}

/** An entry as it is chained. */
export type RecordedEntry = Pick<AuditRow, "sequence" | "hash" | "entry">;

/** The record of a tenant once ended at `last`, and was cut off before `first`, or at some entry before `last`. */
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
  /** Of the key that signed it: the file of a key may be gone when somebody asks. */
  readonly publicKey: Uint8Array;
  /** Tops of the perfect trees at that point, 32 bytes each: from them the tree is grown on. */
  readonly peaks: Uint8Array;
}

/** Covers the 2^level entries from `index` × 2^level on. */
export interface TreePlace {
  readonly level: number;
  readonly index: bigint;
}

export interface KeptNode extends TreePlace {
  readonly hash: Uint8Array;
}

/** Some events of one tenant, one after another. */
export interface EventRow {
  readonly tenantId: string;
  readonly firstSequence: bigint;
  readonly lastSequence: bigint;
  readonly atMs: number;
  /** What they are, as `events/` writes it. */
  readonly events: Uint8Array;
}

/** Rows of one tenant that fulfil every comparison, in an order. The last field of the order is unique. */
export interface Query<Field extends string> {
  readonly tenantId: string;
  readonly where: readonly Comparison<Field>[];
  readonly orderBy: readonly { readonly field: Field; readonly descending: boolean }[];
  /** Values of the fields of the order in the last row of the page before. */
  readonly after: readonly Comparable[] | undefined;
  readonly limit: number;
}

export interface Comparison<Field extends string> {
  readonly field: Field;
  /** `~` is of texts alone: the field contains the value, whatever the case of its letters from a to z. */
  readonly operator: "=" | "!=" | "<" | "<=" | ">" | ">=" | "~";
  readonly value: Comparable;
}

/** Texts compare by code point, as UTF-8 bytes do. */
export type Comparable = string | number | bigint | boolean;

export type PipelineField = Exclude<keyof ListedPipelineRow, "tenantId" | "view">;
/** `resolved` is whether it was answered. */
export type EscalationField =
  | Exclude<keyof EscalationRow, "tenantId" | "escalation" | "resolvedAtMs">
  | "resolved";
export type AuditField = Exclude<keyof AuditRow, "tenantId" | "hash" | "entry">;
