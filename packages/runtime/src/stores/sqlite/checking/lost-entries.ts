/**
 * Compares journals with the record. Both are committed in one transaction, so the audit entries that a journal row was
 * committed with are in the record, and the next ones follow them; otherwise somebody removed entries.
 */
import type { DatabaseSync } from "node:sqlite";
import type { LostEntries } from "../../../ports/store.ts";
import { integer, text } from "../columns.ts";
import { versionOf } from "../migrate.ts";

/** The first version whose journal rows name their audit entries. */
const versionWithAudited = 7;

/** The record ends before entries that a journal row was committed with. */
const cutOff = `
  SELECT t.tenant_id, a.end + 1 AS first, j.last FROM (
    SELECT p.tenant, max(j.last_audited) AS last FROM journal j JOIN pipelines p ON p.n = j.pipeline GROUP BY p.tenant
  ) j JOIN tenants t ON t.n = j.tenant JOIN (
    SELECT t.n AS tenant, coalesce((SELECT max(last_sequence) FROM audit WHERE tenant = t.n), 0) AS end FROM tenants t
  ) a ON a.tenant = j.tenant WHERE j.last > a.end`;

/** The record has grown on from an earlier entry than the one that it had reached. */
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

export function findLostEntries(db: DatabaseSync): LostEntries[] {
  if (versionOf(db) < versionWithAudited) return [];
  const found = new Map<string, LostEntries>();
  for (const sql of [cutOff, grownAgain]) {
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
