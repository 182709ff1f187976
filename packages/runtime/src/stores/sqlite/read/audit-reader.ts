import type { DatabaseSync, SQLOutputValue, StatementSync } from "node:sqlite";
import type { AuditField, AuditRow, Query, RecordedEntry } from "../../../ports/store.ts";
import { selectRows } from "../../../query/select-rows.ts";
import { pageSizes } from "../../limits.ts";
import { bytes, integer, text } from "../format/columns.ts";
import { type AuditHead, unpackHeads, withBytes } from "../format/unpack-audit.ts";
import { auditBlocksSql } from "./audit-query.ts";
import { PreparedQueries } from "./query-sql.ts";

type Row = Record<string, SQLOutputValue>;

/** Reads audit entries, several of which share a row. */
export class AuditReader {
  readonly #queries: PreparedQueries;
  readonly #last: StatementSync;
  readonly #block: StatementSync;
  readonly #entries: StatementSync;
  readonly #record: StatementSync;

  constructor(db: DatabaseSync) {
    this.#queries = new PreparedQueries(db);
    this.#last = db.prepare("SELECT n FROM audit WHERE tenant = ? ORDER BY first_sequence DESC LIMIT 1");
    this.#block = db.prepare(
      `SELECT p.pipeline_id, a.first_sequence, a.last_sequence, a.oldest_ms, a.has_own_ids, a.directory
        FROM audit a LEFT JOIN pipelines p ON p.n = a.pipeline WHERE a.n = ?`,
    );
    this.#entries = db.prepare("SELECT entries FROM audit WHERE n = ?");
    // Begins with the row with the first entry above: the last row that begins at or below it.
    this.#record = db.prepare(
      `SELECT n, first_sequence, last_sequence, directory, entries FROM audit
        WHERE tenant = :tenant AND first_sequence >= coalesce(
          (SELECT max(first_sequence) FROM audit WHERE tenant = :tenant AND first_sequence <= :after + 1), 0)
        ORDER BY first_sequence`,
    );
  }

  /** The last entry of a tenant. */
  last(tenant: number, tenantId: string): AuditRow | undefined {
    const row = this.#last.get(tenant);
    const head = row && this.#heads(integer(row.n), tenantId).at(-1);
    return head && this.#withBytes([head])[0];
  }

  /** Entries above a sequence, in order, as they are stored, even when they were tampered with. */
  record(tenant: number, after: bigint, limit: number): RecordedEntry[] {
    const found: RecordedEntry[] = [];
    for (const row of this.#record.iterate({ tenant, after })) {
      const heads = unpackHeads({
        ...{ n: integer(row.n), tenantId: "", pipelineId: "", oldestMs: 0, hasOwnIds: false },
        firstSequence: integer(row.first_sequence),
        lastSequence: integer(row.last_sequence),
        directory: text(row.directory),
      });
      const all = bytes(row.entries);
      for (const head of heads) {
        if (head.sequence <= after) continue;
        const { sequence, hash, entry } = withBytes(head, all);
        found.push({ sequence, hash, entry });
      }
      if (found.length >= limit) break;
    }
    return found;
  }

  /** Reads the rows that may match, and keeps at most a few pages of them. */
  find(tenant: number, query: Query<AuditField>): AuditRow[] {
    const { tenantId, limit } = query;
    const sql = auditBlocksSql(tenant, query);
    const atOnce = comesInOrder(query) ? limit : pageSizes.auditHeads;
    let best: AuditHead[] = [];
    let more: AuditHead[] = [];
    for (const row of this.#queries.prepare(sql.text).iterate(...sql.values)) {
      if (isBehind(row, best, query)) break;
      more.push(...this.#heads(integer(row.n), tenantId));
      if (more.length < atOnce) continue;
      best = select([...best, ...more], query);
      more = [];
    }
    return this.#withBytes(select([...best, ...more], query));
  }

  #heads(n: number, tenantId: string): AuditHead[] {
    const row = this.#block.get(n);
    return unpackHeads({
      n,
      tenantId,
      pipelineId: text(row?.pipeline_id ?? ""),
      firstSequence: integer(row?.first_sequence),
      lastSequence: integer(row?.last_sequence),
      oldestMs: integer(row?.oldest_ms),
      hasOwnIds: integer(row?.has_own_ids) === 1,
      directory: text(row?.directory),
    });
  }

  #withBytes(heads: readonly AuditHead[]): AuditRow[] {
    const blocks = new Map<number, Uint8Array>();
    return heads.map((head) => {
      const entries = blocks.get(head.block) ?? bytes(this.#entries.get(head.block)?.entries);
      blocks.set(head.block, entries);
      return withBytes(head, entries);
    });
  }
}

function select(heads: readonly AuditHead[], query: Query<AuditField>): AuditHead[] {
  return selectRows(heads, query, (head, field) => head[field]);
}

/** The table has its rows by sequence and by time; any other order needs all of them. */
function comesInOrder({ orderBy: [first] }: Query<AuditField>): boolean {
  return first?.field === "sequence" || first?.field === "atMs";
}

/** Whether neither this row nor a later one can have an entry before the last of a full page. */
function isBehind(
  row: Row,
  best: readonly AuditHead[],
  { orderBy: [first], limit }: Query<AuditField>,
): boolean {
  if (best.length < limit || first === undefined) return false;
  const last = best.at(-1);
  if (last === undefined || first.field === "sequence") return true;
  if (first.field !== "atMs") return false;
  return first.descending ? integer(row.newest_ms) < last.atMs : integer(row.oldest_ms) > last.atMs;
}
