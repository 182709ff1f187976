import type { DatabaseSync, SQLOutputValue } from "node:sqlite";
import type {
  AuditField,
  EscalationField,
  EscalationRow,
  EventRow,
  FleetRow,
  KnowledgeQuery,
  KnowledgeRow,
  PipelineField,
  PipelineRow,
  Query,
  SpendQuery,
  StepRow,
  StoredJournal,
  TreePosition,
} from "../../../ports/store.ts";
import { DamagedJournal } from "../../../ports/store-error.ts";
import { pageSizes } from "../../limits.ts";
import type { StoreReads } from "../../reads.ts";
import type { Decryptor } from "../crypto/decryptor.ts";
import { damage } from "../errors.ts";
import { bytes, integer, text } from "../format/columns.ts";
import { hasItsSum, summed, sumOfKnowledge, sumOfStep } from "../format/journal-sum.ts";
import { isWhole } from "../format/judge-contents.ts";
import { unpackContents } from "../format/packed-contents.ts";
import { versionOf } from "../schema/migrate.ts";
import { AuditReader } from "./audit-reader.ts";
import { CheckpointReader } from "./checkpoint-reader.ts";
import { findLostEntries } from "./lost-entries.ts";
import { escalationSource, PreparedQueries, pipelineSourceOf, querySql, type Source } from "./query-sql.ts";
import { prepareReads, type ReadStatements } from "./read-statements.ts";
import { SpendReader } from "./spend-reader.ts";

type Row = Record<string, SQLOutputValue>;

/** The largest sequence whose successor is an integer of SQLite. */
const maxSequence = 2n ** 63n - 2n;

/** Reads from the database. It belongs to a connection. */
export class Reader implements StoreReads {
  readonly #db: DatabaseSync;
  readonly #sql: ReadStatements;
  readonly #queries: PreparedQueries;
  readonly #audit: AuditReader;
  readonly #pipelines: Source<PipelineField>;
  readonly #decryptor: Decryptor;
  readonly #checkpoints: CheckpointReader;
  readonly #spend: SpendReader;

  constructor(db: DatabaseSync, decryptor: Decryptor) {
    this.#db = db;
    this.#decryptor = decryptor;
    this.#sql = prepareReads(db);
    this.#queries = new PreparedQueries(db);
    this.#pipelines = pipelineSourceOf(versionOf(db));
    this.#audit = new AuditReader(db);
    this.#checkpoints = new CheckpointReader(db);
    this.#spend = new SpendReader(db);
  }

  heads() {
    return this.#sql.heads.all().flatMap((row) => {
      const tenantId = text(row.tenant_id);
      const last = this.#audit.last(integer(row.n), tenantId);
      if (last === undefined && row.event_sequence === null) return [];
      return {
        tenantId,
        auditSequence: last?.sequence ?? 0n,
        auditHash: last?.hash,
        eventSequence: BigInt(integer(row.event_sequence ?? 0)),
      };
    });
  }

  lastBatch(writer: string) {
    return integer(this.#sql.lastBatch?.get(writer)?.last_batch ?? 0);
  }

  newestMs() {
    return integer(this.#sql.newestMs.get()?.newest_ms);
  }

  /** Numbers of the pipelines that have not ended. */
  openPipelines(): number[] {
    return this.#sql.openPipelines.all().map(({ n }) => integer(n));
  }

  /** A page of their journals, and the start of the next. Pipelines that ended meanwhile are left out. */
  openJournals(numbers: readonly number[], start: number): { journals: StoredJournal[]; next: number } {
    const journals: StoredJournal[] = [];
    let size = 0;
    let next = start;
    while (next < numbers.length && journals.length < pageSizes.journals && size < pageSizes.journalBytes) {
      const n = numbers[next++] ?? 0;
      const row = this.#sql.openPipeline.get(n);
      if (row === undefined) continue;
      const journal = this.#journal(n, row);
      for (const part of journal.texts) size += part.length;
      for (const part of journal.contents.values()) size += part.length;
      journals.push(journal);
    }
    return { journals, next };
  }

  outbox() {
    return this.#sql.outbox.all().map((row) => ({
      id: integer(row.id),
      pipelineId: text(row.pipeline_id),
      text: this.#decryptor.text(row),
    }));
  }

  timers() {
    return this.#sql.timers.all().map((row) => {
      const pipelineId = text(row.pipeline_id);
      const timerId = this.#decryptor.timerId(pipelineId, row.timer_id);
      return { pipelineId, timerId, atMs: integer(row.at_ms) };
    });
  }

  /** The rows after a number, and the number of the last. */
  fleet(after: number): { rows: FleetRow[]; last: number } {
    const found = this.#sql.fleet.all(after, pageSizes.fleetRows);
    const rows = found.map((row) => ({ tenantId: text(row.tenant_id), text: this.#decryptor.text(row) }));
    return { rows, last: integer(found.at(-1)?.n ?? after) };
  }

  journal(pipelineId: string): StoredJournal | undefined {
    const row = this.#sql.journalHead.get(pipelineId);
    return row && this.#journal(integer(row.n), row);
  }

  /** Decisions depend on it, so that its rows are compared with their checksums and with one another. */
  #journal(n: number, row: Row): StoredJournal {
    const [pipelineId, version] = [text(row.pipeline_id), integer(row.version)];
    const texts: string[] = [];
    const contents = new Map<string, Uint8Array>();
    let last = 0;
    for (const part of this.#sql.journal.all(n)) {
      if (integer(part.version) !== last + 1)
        throw new DamagedJournal(pipelineId, `it has a gap after ${last}`);
      last = integer(part.last_version);
      const directory = text(part.directory);
      if (!hasItsSum(part.sum, directory, summed(part))) {
        throw new DamagedJournal(pipelineId, `what was recorded as ${last} is not what its sum says`);
      }
      const opened = this.#decryptor.journal(part);
      texts.push(opened.text);
      for (const content of unpackContents({ directory, bytes: opened.contents })) {
        if (!isWhole(content)) throw new DamagedJournal(pipelineId, "a content is not what its digest says");
        contents.set(content.digest, content.bytes);
      }
    }
    if (last !== version)
      throw new DamagedJournal(pipelineId, `it ends with ${last}, and its row says ${version}`);
    return { pipelineId, texts, version, contents };
  }

  pipeline(pipelineId: string) {
    const row = this.#sql.pipeline.get(pipelineId);
    return row && pipelineRow(row, text(row.tenant_id));
  }

  pipelines(query: Query<PipelineField>) {
    return this.#query(this.#pipelines, query).map((row) => ({
      ...pipelineRow(row, query.tenantId),
      waitsForPerson: integer(row.waits_for_person) === 1,
    }));
  }

  escalation(escalationId: string) {
    const row = this.#sql.escalation.get(escalationId);
    return row && escalationRow(row, text(row.tenant_id));
  }

  escalations(query: Query<EscalationField>) {
    return this.#query(escalationSource, query).map((row) => escalationRow(row, query.tenantId));
  }

  auditEntries(query: Query<AuditField>) {
    const tenant = this.#sql.tenant.get(query.tenantId);
    return tenant === undefined ? [] : this.#audit.find(integer(tenant.n), query);
  }

  auditRecord(tenantId: string, after: bigint, limit: number) {
    const tenant = this.#sql.tenant.get(tenantId);
    return tenant === undefined ? [] : this.#audit.record(integer(tenant.n), inRange(after), limit);
  }

  lostEntries() {
    return findLostEntries(this.#db);
  }

  checkpoints(tenantId: string, after: bigint, limit: number) {
    return this.#checkpoints.above(tenantId, after, limit);
  }

  lastCheckpoint(tenantId: string) {
    return this.#checkpoints.last(tenantId);
  }

  treeNodes(tenantId: string, positions: readonly TreePosition[]) {
    return this.#checkpoints.nodes(tenantId, positions);
  }

  events(tenantId: string, after: bigint, limit: number): EventRow[] {
    const found: EventRow[] = [];
    const beyond = inRange(after);
    let count = 0;
    for (const row of this.#sql.events.iterate({ tenantId, after: beyond })) {
      if (count >= limit) break;
      const firstSequence = BigInt(integer(row.first_sequence));
      const lastSequence = BigInt(integer(row.last_sequence));
      const firstNew = firstSequence > beyond ? firstSequence : beyond + 1n;
      count += Number(lastSequence - firstNew) + 1;
      found.push({
        tenantId,
        firstSequence,
        lastSequence,
        atMs: integer(row.at_ms),
        events: bytes(row.events),
      });
    }
    return found;
  }

  turns(dispatchId: string, after: number, limit: number) {
    const rows = this.#sql.turns?.all(dispatchId, after, limit) ?? [];
    return rows.map((row) => ({
      tenantId: text(row.tenant_id),
      pipelineId: text(row.pipeline_id),
      dispatchId,
      turnIndex: integer(row.turn_index),
      envelope: text(row.envelope_json),
      eventId: text(row.event_id),
      packId: text(row.pack_id),
      atMs: integer(row.at_ms),
    }));
  }

  hasTurn(dispatchId: string, turnIndex: number) {
    return this.#sql.turn?.get(dispatchId, turnIndex) !== undefined;
  }

  steps(dispatchId: string, after: number, limit: number, valueBytes: number): StepRow[] {
    const found: StepRow[] = [];
    const withValues = Number(valueBytes > 0);
    let size = 0;
    const attempt = { dispatchId: this.#decryptor.encryptedId(dispatchId), after, limit, withValues };
    for (const row of this.#sql.steps?.iterate(attempt) ?? []) {
      size += integer(row.value_bytes);
      if (withValues && found.length > 0 && size > valueBytes) break;
      if (row.value !== null && integer(row.sum) !== sumOfStep(bytes(row.info), bytes(row.value)))
        throw damage("a step", "its value is not what its sum says");
      found.push({
        tenantId: text(row.tenant_id),
        pipelineId: text(row.pipeline_id),
        dispatchId,
        ordinal: integer(row.ordinal),
        atMs: integer(row.at_ms),
        info: this.#decryptor.bytes(row.info),
        value: row.value === null ? new Uint8Array() : this.#decryptor.bytes(row.value),
        valueBytes: integer(row.value_bytes),
      });
    }
    return found;
  }

  knowledge({ tenantId, topic, key, before, limit }: KnowledgeQuery): KnowledgeRow[] {
    const query = { tenantId, topic, before: before ?? Number.MAX_SAFE_INTEGER, limit };
    const rows =
      key === undefined ? this.#sql.knowledge?.all(query) : this.#sql.knowledgeOfKey?.all({ ...query, key });
    return (rows ?? []).map((row) => {
      const of = text(row.key);
      if (integer(row.sum) !== sumOfKnowledge(topic, of, bytes(row.content)))
        throw damage("a row of knowledge", "its content is not what its sum says");
      const atMs = integer(row.at_ms);
      const sequence = integer(row.n);
      return { tenantId, topic, key: of, sequence, atMs, content: this.#decryptor.bytes(row.content) };
    });
  }

  tasks(pipelineId: string) {
    const rows = this.#sql.tasks?.all(pipelineId) ?? [];
    return rows.map((row) => ({
      stageId: text(row.stage_id),
      state: text(row.state),
      headHash: row.head_hash === null ? undefined : text(row.head_hash),
    }));
  }

  openCalls() {
    const rows = this.#sql.openCalls?.all() ?? [];
    return rows.map((row) => ({
      tenantId: text(row.tenant_id),
      pipelineId: text(row.pipeline_id),
      dispatchId: this.#decryptor.id(row.dispatch_id),
      callId: this.#decryptor.id(row.call_id),
      tool: this.#decryptor.id(row.tool),
      atMs: integer(row.at_ms),
    }));
  }

  heldBack() {
    const rows = this.#sql.heldBack?.all() ?? [];
    return rows.map((row) => ({
      tenantId: text(row.tenant_id),
      pipelineId: text(row.pipeline_id),
      dispatchId: this.#decryptor.id(row.dispatch_id),
      text: this.#decryptor.text(row),
    }));
  }

  spentSince(day: number) {
    return this.#spend.since(day);
  }

  spend(query: SpendQuery) {
    const tenant = this.#sql.tenant.get(query.tenantId);
    return tenant === undefined ? [] : this.#spend.query(integer(tenant.n), query);
  }

  #query<Field extends string>(source: Source<Field>, query: Query<Field>): Row[] {
    const tenant = this.#sql.tenant.get(query.tenantId);
    if (tenant === undefined) return [];
    const sql = querySql(source, integer(tenant.n), query);
    return this.#queries.prepare(sql.text).all(...sql.values);
  }
}

function inRange(after: bigint): bigint {
  return after > maxSequence ? maxSequence : after < 0n ? 0n : after;
}

function pipelineRow(row: Row, tenantId: string): PipelineRow {
  return {
    pipelineId: text(row.pipeline_id),
    tenantId,
    status: text(row.status),
    ended: integer(row.ended) === 1,
    templateId: text(row.template_id),
    pipelineName: text(row.pipeline_name),
    taskId: text(row.task_id),
    riskTier: text(row.risk_tier),
    labels: text(row.labels),
    agents: text(row.agents),
    createdAtMs: integer(row.created_ms),
    updatedAtMs: integer(row.updated_ms),
    view: row.view === null ? undefined : bytes(row.view),
  };
}

function escalationRow(row: Row, tenantId: string): EscalationRow {
  return {
    escalationId: text(row.escalation_id),
    tenantId,
    pipelineId: text(row.pipeline_id),
    stageId: text(row.stage_id),
    kind: text(row.kind),
    riskTier: text(row.risk_tier),
    raisedAtMs: integer(row.raised_ms),
    resolvedAtMs: row.resolved_ms === null ? undefined : integer(row.resolved_ms),
    escalation: bytes(row.escalation),
  };
}
