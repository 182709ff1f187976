/**
 * Compares journals with the audit record. Both are committed in one transaction, so that the record contains the entries that
 * a journal row was committed with, and the next ones follow them; otherwise entries were removed.
 */
import type { DatabaseSync } from "node:sqlite";
import type { LostEntries } from "../../../ports/store.ts";
import { integer, text } from "../format/columns.ts";
import { versionOf } from "../schema/migrate.ts";

/** The first version whose journal rows contain the sequences of their audit entries. */
const versionWithAudited = 7;

/** The record ends before the entries of a journal row. */
const cutOff = `
  SELECT t.tenant_id, a.end + 1 AS first, j.last FROM (
    SELECT p.tenant, max(j.last_audited) AS last FROM journal j JOIN pipelines p ON p.n = j.pipeline GROUP BY p.tenant
  ) j JOIN tenants t ON t.n = j.tenant JOIN (
    SELECT t.n AS tenant, coalesce((SELECT max(last_sequence) FROM audit WHERE tenant = t.n), 0) AS end FROM tenants t
  ) a ON a.tenant = j.tenant WHERE j.last > a.end`;

/** The record continued from an earlier entry than its last. */
const grownAgain = `
  SELECT t.tenant_id, min(b.first) AS first, max(b.reached) AS last FROM (
    SELECT tenant, first,
      max(last) OVER (PARTITION BY tenant ORDER BY n ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS reached
    FROM (
      SELECT p.tenant, j.first_audited AS first, j.last_audited AS last, min(j.n) AS n
      FROM journal j JOIN pipelines p ON p.n = j.pipeline WHERE j.last_audited IS NOT NULL
      GROUP BY p.tenant, j.first_audited, j.last_audited
    )
  ) b JOIN tenants t ON t.n = b.tenant WHERE b.first <= b.reached GROUP BY t.tenant_id`;

/** Journals were removed too. Every pipeline was created with an entry, so that the record had at least as many. */
const gone = `
  SELECT t.tenant_id, 1 AS first, p.runs AS last FROM (
    SELECT tenant, count(*) AS runs FROM pipelines WHERE version > 0 GROUP BY tenant
  ) p JOIN tenants t ON t.n = p.tenant
  WHERE NOT EXISTS (SELECT 1 FROM audit a WHERE a.tenant = p.tenant)
    AND NOT EXISTS (SELECT 1 FROM journal j JOIN pipelines q ON q.n = j.pipeline WHERE q.tenant = p.tenant)`;

export function findLostEntries(db: DatabaseSync): LostEntries[] {
  if (versionOf(db) < versionWithAudited) return [];
  const found = new Map<string, LostEntries>();
  for (const sql of [cutOff, grownAgain, gone]) {
    for (const row of db.prepare(sql).all()) {
      const tenantId = text(row.tenant_id);
      const lost = { tenantId, first: BigInt(integer(row.first)), last: BigInt(integer(row.last)) };
      found.set(tenantId, found.get(tenantId) ?? lost);
    }
  }
  return [...found.values()];
}

export function describeLost({ tenantId, first, last }: LostEntries): string {
  return `the audit record of tenant "${tenantId}" has lost entries from ${first} on: its runs were committed with entries up to ${last}`;
}
