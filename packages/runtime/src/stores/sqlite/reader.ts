import { Buffer } from "node:buffer";
import type { DatabaseSync, SQLOutputValue, StatementSync } from "node:sqlite";
import type {
  AuditField,
  AuditRow,
  EscalationField,
  EscalationRow,
  EventRow,
  FleetRow,
  PipelineField,
  PipelineRow,
  Query,
  StoredCommand,
  StoredJournal,
  StoredTimer,
  TenantHead,
} from "../../ports/store.ts";
import { pageSizes } from "../limits.ts";
import { bytes, integer, text } from "./columns.ts";
import { auditSource, escalationSource, pipelineSource, querySql, type Source } from "./query-sql.ts";
import { prepareReads, type ReadStatements } from "./read-statements.ts";

type Row = Record<string, SQLOutputValue>;

/** Largest integer of SQLite. */
const mostSequence = 2n ** 63n - 2n;

/** Prepared queries that are kept. */
const mostQueries = 64;

/** Answers questions from what is stored. It belongs to a connection. */
export class Reader {
  readonly #db: DatabaseSync;
  readonly #sql: ReadStatements;
  readonly #queries = new Map<string, StatementSync>();

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#sql = prepareReads(db);
  }

  heads(): TenantHead[] {
    return this.#sql.heads.all().map((row) => ({
      tenantId: text(row.tenant_id),
      auditSequence: BigInt(integer(row.audit_sequence ?? 0)),
      auditHash: row.audit_hash === null ? undefined : bytes(row.audit_hash),
      eventSequence: BigInt(integer(row.event_sequence ?? 0)),
    }));
  }

  newestMs(): number {
    return integer(this.#sql.newestMs.get()?.newest_ms);
  }

  /** Numbers of the pipelines that have not ended. */
  openPipelines(): number[] {
    return this.#sql.openPipelines.all().map(({ n }) => integer(n));
  }

  /** Journals of some of them, and where to go on. Those that ended meanwhile are left out. */
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

  outbox(): StoredCommand[] {
    return this.#sql.outbox.all().map((row) => ({
      id: integer(row.id),
      pipelineId: text(row.pipeline_id),
      text: text(row.text),
    }));
  }

  timers(): StoredTimer[] {
    return this.#sql.timers.all().map((row) => ({
      pipelineId: text(row.pipeline_id),
      timerId: text(row.timer_id),
      atMs: integer(row.at_ms),
    }));
  }

  /** The rows after a number, and the number of the last. */
  fleet(after: number): { rows: FleetRow[]; last: number } {
    const found = this.#sql.fleet.all(after, pageSizes.fleetRows);
    const rows = found.map((row) => ({ tenantId: text(row.tenant_id), text: text(row.text) }));
    return { rows, last: integer(found.at(-1)?.n ?? after) };
  }

  journal(pipelineId: string): StoredJournal | undefined {
    const row = this.#sql.journalHead.get(pipelineId);
    return row && this.#journal(integer(row.n), row);
  }

  #journal(n: number, { pipeline_id, version }: Row): StoredJournal {
    const contents = new Map<string, Uint8Array>();
    for (const row of this.#sql.contents.all(n)) {
      contents.set(Buffer.from(bytes(row.digest)).toString("base64url"), bytes(row.bytes));
    }
    return {
      pipelineId: text(pipeline_id),
      texts: this.#sql.texts.all(n).map((row) => text(row.text)),
      version: integer(version),
      contents,
    };
  }

  pipeline(pipelineId: string): PipelineRow | undefined {
    const row = this.#sql.pipeline.get(pipelineId);
    return row && pipelineRow(row, text(row.tenant_id));
  }

  pipelines(query: Query<PipelineField>): PipelineRow[] {
    return this.#query(pipelineSource, query).map((row) => pipelineRow(row, query.tenantId));
  }

  escalation(escalationId: string): EscalationRow | undefined {
    const row = this.#sql.escalation.get(escalationId);
    return row && escalationRow(row, text(row.tenant_id));
  }

  escalations(query: Query<EscalationField>): EscalationRow[] {
    return this.#query(escalationSource, query).map((row) => escalationRow(row, query.tenantId));
  }

  auditEntries(query: Query<AuditField>): AuditRow[] {
    return this.#query(auditSource, query).map((row) => ({
      tenantId: query.tenantId,
      sequence: BigInt(integer(row.sequence)),
      auditId: text(row.audit_id),
      pipelineId: text(row.pipeline_id ?? ""),
      eventType: text(row.event_type),
      atMs: integer(row.at_ms),
      hash: bytes(row.hash),
      entry: bytes(row.entry),
    }));
  }

  events(tenantId: string, after: bigint, limit: number): EventRow[] {
    const found: EventRow[] = [];
    const beyond = after > mostSequence ? mostSequence : after < 0n ? 0n : after;
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

  #query<Field extends string>(source: Source<Field>, query: Query<Field>): Row[] {
    const tenant = this.#sql.tenant.get(query.tenantId);
    if (tenant === undefined) return [];
    const sql = querySql(source, integer(tenant.n), query);
    return this.#prepare(sql.text).all(...sql.values);
  }

  /** Most callers ask the same few questions again and again. */
  #prepare(sql: string): StatementSync {
    const known = this.#queries.get(sql);
    if (known !== undefined) return known;
    if (this.#queries.size >= mostQueries) this.#queries.clear();
    const statement = this.#db.prepare(sql);
    this.#queries.set(sql, statement);
    return statement;
  }
}

function pipelineRow(row: Row, tenantId: string): PipelineRow {
  return {
    pipelineId: text(row.pipeline_id),
    tenantId,
    status: text(row.status),
    ended: integer(row.ended) === 1,
    templateId: text(row.template_id),
    pipelineName: text(row.pipeline_name),
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
