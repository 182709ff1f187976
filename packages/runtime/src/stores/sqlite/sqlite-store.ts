import type { DatabaseSync, StatementSync } from "node:sqlite";
import type {
  AuditField,
  AuditRow,
  Batch,
  CallRow,
  CheckpointRow,
  EscalationField,
  EscalationRow,
  EventRow,
  FleetRow,
  HeldRow,
  ListedPipelineRow,
  LostEntries,
  PipelineField,
  PipelineRow,
  Query,
  RecordedEntry,
  Retention,
  Store,
  StoredCommand,
  StoredJournal,
  StoredNode,
  StoredTimer,
  TaskRow,
  TenantHead,
  TreePosition,
  TurnRow,
} from "../../ports/store.ts";
import { StoreUnavailable } from "../../ports/store-error.ts";
import { auditFields, escalationFields, pipelineFields } from "../fields.ts";
import { validateBatch, validateCheckpoint, validateQuery } from "../validate.ts";
import { Decryptor } from "./crypto/decryptor.ts";
import { asStoreError, isDoubtful } from "./errors.ts";
import type { StoreFiles } from "./files.ts";
import { backupSqlite } from "./maintenance/backup.ts";
import { checkSqlite } from "./maintenance/check.ts";
import { Reader } from "./read/reader.ts";
import { Writer } from "./write/writer.ts";

interface Connection {
  readonly db: DatabaseSync;
  readonly reader: Reader;
  readonly begin: StatementSync;
  readonly end: StatementSync;
}

/** What a store needs to open its file, again after an error of the disk. */
export interface Access {
  readonly files: StoreFiles;
  readonly isReadOnly: boolean;
  readonly inlineAfter: number;
  /** Opens the connection for reading; before that for writing. */
  connect(): DatabaseSync;
  /** Closes other users of the file, since the last one to close it empties the log. */
  letGo(): Promise<void>;
  /** Releases the lock. */
  release(): void;
}

/**
 * Reads in this thread; `Writer` writes. A read sees one snapshot: SQLite makes a batch visible to other connections when it is
 * durable, as a whole.
 */
export class SqliteStore implements Store {
  readonly #access: Access;
  /** Undefined in a store that is opened for reading. */
  readonly #writer: Writer | undefined;
  #connection: Connection | undefined;
  #isClosed = false;

  constructor(access: Access) {
    this.#access = access;
    this.#use(() => {});
    this.#writer = access.isReadOnly ? undefined : new Writer(access.files, access.inlineAfter);
  }

  async commit(batch: Batch): Promise<void> {
    this.#refuseClosed();
    if (this.#writer === undefined) throw openedToRead(this.#access.files.directory);
    const check = () => {
      validateBatch(batch);
      // After an error of the disk the store is checked again before the next write.
      if (this.#connection === undefined) this.#use(() => {});
    };
    await this.#written(this.#writer.write(batch, check));
  }

  async keepCheckpoint(row: CheckpointRow, nodes: readonly StoredNode[]): Promise<void> {
    validateCheckpoint(row, nodes);
    this.#refuseClosed();
    if (this.#writer === undefined) throw openedToRead(this.#access.files.directory);
    await this.#written(this.#writer.keep(row, nodes));
  }

  async #written<Result>(writing: Promise<Result>): Promise<Result> {
    try {
      return await writing;
    } catch (error) {
      const converted = asStoreError(error, this.#access.files.directory);
      if (isDoubtful(converted)) this.#abandon();
      throw converted;
    }
  }

  async lastBatch(writer: string): Promise<number> {
    return this.#use(({ reader }) => reader.lastBatch(writer));
  }

  async heads(): Promise<readonly TenantHead[]> {
    return this.#use(({ reader }) => reader.heads());
  }

  async newestMs(): Promise<number> {
    return this.#use(({ reader }) => reader.newestMs());
  }

  async *openJournals(): AsyncIterable<readonly StoredJournal[]> {
    const numbers = this.#use(({ reader }) => reader.openPipelines());
    for (let start = 0; start < numbers.length; ) {
      const { journals, next } = this.#use(({ reader }) => reader.openJournals(numbers, start));
      start = next;
      if (journals.length > 0) yield journals;
    }
  }

  async outbox(): Promise<readonly StoredCommand[]> {
    return this.#use(({ reader }) => reader.outbox());
  }

  async timers(): Promise<readonly StoredTimer[]> {
    return this.#use(({ reader }) => reader.timers());
  }

  async *fleet(): AsyncIterable<readonly FleetRow[]> {
    for (let after = 0; ; ) {
      const { rows, last } = this.#use(({ reader }) => reader.fleet(after));
      if (rows.length === 0) return;
      yield rows;
      after = last;
    }
  }

  async journal(pipelineId: string): Promise<StoredJournal | undefined> {
    return this.#use(({ reader }) => reader.journal(pipelineId));
  }

  async pipeline(pipelineId: string): Promise<PipelineRow | undefined> {
    return this.#use(({ reader }) => reader.pipeline(pipelineId));
  }

  async pipelines(query: Query<PipelineField>): Promise<readonly ListedPipelineRow[]> {
    validateQuery(query, pipelineFields);
    return this.#use(({ reader }) => reader.pipelines(query));
  }

  async escalation(escalationId: string): Promise<EscalationRow | undefined> {
    return this.#use(({ reader }) => reader.escalation(escalationId));
  }

  async escalations(query: Query<EscalationField>): Promise<readonly EscalationRow[]> {
    validateQuery(query, escalationFields);
    return this.#use(({ reader }) => reader.escalations(query));
  }

  async auditEntries(query: Query<AuditField>): Promise<readonly AuditRow[]> {
    validateQuery(query, auditFields);
    return this.#use(({ reader }) => reader.auditEntries(query));
  }

  async auditRecord(tenantId: string, after: bigint, limit: number): Promise<readonly RecordedEntry[]> {
    return this.#use(({ reader }) => reader.auditRecord(tenantId, after, limit));
  }

  async lostEntries(): Promise<readonly LostEntries[]> {
    return this.#use(({ reader }) => reader.lostEntries());
  }

  async checkpoints(tenantId: string, after: bigint, limit: number): Promise<readonly CheckpointRow[]> {
    return this.#use(({ reader }) => reader.checkpoints.above(tenantId, after, limit));
  }

  async lastCheckpoint(tenantId: string): Promise<CheckpointRow | undefined> {
    return this.#use(({ reader }) => reader.checkpoints.last(tenantId));
  }

  async treeNodes(
    tenantId: string,
    places: readonly TreePosition[],
  ): Promise<readonly (Uint8Array | undefined)[]> {
    return this.#use(({ reader }) => reader.checkpoints.nodes(tenantId, places));
  }

  async events(tenantId: string, after: bigint, limit: number): Promise<readonly EventRow[]> {
    return this.#use(({ reader }) => reader.events(tenantId, after, limit));
  }

  async turns(dispatchId: string, after: number, limit: number): Promise<readonly TurnRow[]> {
    return this.#use(({ reader }) => reader.turns(dispatchId, after, limit));
  }

  async hasTurn(dispatchId: string, turnIndex: number): Promise<boolean> {
    return this.#use(({ reader }) => reader.hasTurn(dispatchId, turnIndex));
  }

  async tasks(pipelineId: string): Promise<readonly TaskRow[]> {
    return this.#use(({ reader }) => reader.tasks(pipelineId));
  }

  async openCalls(): Promise<readonly CallRow[]> {
    return this.#use(({ reader }) => reader.openCalls());
  }

  async heldBack(): Promise<readonly HeldRow[]> {
    return this.#use(({ reader }) => reader.heldBack());
  }

  async prune(keep: Retention): Promise<boolean> {
    this.#refuseClosed();
    if (this.#writer === undefined) throw openedToRead(this.#access.files.directory);
    return this.#written(this.#writer.prune(keep));
  }

  async backup(path: string): Promise<void> {
    this.#refuseClosed();
    await backupSqlite(this.#access.files.directory, path, this.#access.files.key);
  }

  async check(): Promise<readonly string[]> {
    this.#refuseClosed();
    return checkSqlite(this.#access.files.directory, this.#access.files.key);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    try {
      await this.#access.letGo();
      await this.#writer?.close();
      this.#disconnect();
    } catch (error) {
      throw asStoreError(error, this.#access.files.directory);
    } finally {
      this.#access.release();
    }
  }

  #use<Result>(work: (connection: Connection) => Result): Result {
    this.#refuseClosed();
    try {
      this.#connection ??= this.#connect();
      return atOneInstant(this.#connection, work);
    } catch (error) {
      const converted = asStoreError(error, this.#access.files.directory);
      if (isDoubtful(converted) || this.#connection?.db.isTransaction) this.#abandon();
      throw converted;
    }
  }

  #connect(): Connection {
    const db = this.#access.connect();
    const [begin, end] = [db.prepare("BEGIN"), db.prepare("COMMIT")];
    return { db, reader: new Reader(db, new Decryptor(db, this.#access.files)), begin, end };
  }

  /** The next call opens the file again. The first error is reported already, so that errors of closing are ignored. */
  #abandon(): void {
    try {
      this.#disconnect();
    } catch {}
  }

  #disconnect(): void {
    const connection = this.#connection;
    this.#connection = undefined;
    connection?.db.close();
  }

  #refuseClosed(): void {
    if (!this.#isClosed) return;
    throw new StoreUnavailable("BATON-STORE-006", `the store ${this.#access.files.directory} was closed`, {
      fix: "start the hub again; what was committed is there",
      mayPass: false,
    });
  }
}

/** Another connection may write between two statements. */
function atOneInstant<Result>(connection: Connection, work: (connection: Connection) => Result): Result {
  connection.begin.run();
  try {
    return work(connection);
  } finally {
    if (connection.db.isTransaction) connection.end.run();
  }
}

function openedToRead(directory: string): StoreUnavailable {
  return new StoreUnavailable("BATON-STORE-005", `the store ${directory} was opened for reading`, {
    fix: "open it for writing",
    mayPass: false,
  });
}
