/** Selects the rows of the audit table that may match a query. Whether they do, `AuditReader` decides by reading them. */
import type { SQLInputValue } from "node:sqlite";
import type { AuditField, Comparison, Query } from "../../../ports/store.ts";
import { kindOf } from "../format/kinds.ts";
import type { Sql } from "./query-sql.ts";

/** Numbers and times of the rows, in the order of the query as far as rows have one. */
export function auditBlocksSql(tenant: number, { where, orderBy, after }: Query<AuditField>): Sql {
  const values: SQLInputValue[] = [tenant];
  const [first] = orderBy;
  const behind = after?.[0];
  const all = [...where];
  if (first !== undefined && behind !== undefined) {
    all.push({ field: first.field, operator: first.descending ? "<=" : ">=", value: behind });
  }
  const conditions = all.flatMap((comparison) => narrowing(tenant, comparison, values));
  // A plus sign keeps SQLite from using an index for the expression: these two fields select few rows by themselves.
  const isSelective = where.some(({ field, operator, value }) => {
    return operator === "=" && value !== "" && (field === "pipelineId" || field === "auditId");
  });
  const found = [`${isSelective ? "+" : ""}a.tenant = ?`, ...conditions].join(" AND ");
  return {
    text: `SELECT a.n, a.oldest_ms, a.newest_ms FROM audit a LEFT JOIN pipelines p ON p.n = a.pipeline
      WHERE ${found} ORDER BY ${orderSql(first)}`,
    values,
  };
}

function orderSql(first: Query<AuditField>["orderBy"][number] | undefined): string {
  if (first?.field === "atMs") return first.descending ? "a.newest_ms DESC" : "a.oldest_ms";
  return first?.field === "sequence" && first.descending ? "a.first_sequence DESC" : "a.first_sequence";
}

/** A condition of every row with a matching entry; empty when there is none. */
function narrowing(tenant: number, comparison: Comparison<AuditField>, values: SQLInputValue[]): string[] {
  const { field, operator } = comparison;
  const value = typeof comparison.value === "boolean" ? Number(comparison.value) : comparison.value;
  switch (field) {
    case "sequence":
      if (operator === "!=") return [];
      if (operator === "<" || operator === "<=") {
        values.push(value);
        return [`a.first_sequence ${operator} ?`];
      }
      values.push(value, tenant, value);
      if (operator === "=") values.push(value);
      // The row with a sequence is the last one that begins at or below it.
      return [
        `a.last_sequence ${operator === "=" ? ">=" : operator} ?`,
        `a.first_sequence >= (SELECT coalesce(max(first_sequence), 0) FROM audit WHERE tenant = ? AND first_sequence <= ?)`,
        ...(operator === "=" ? ["a.first_sequence <= ?"] : []),
      ];
    case "atMs":
      if (operator === "!=") return [];
      values.push(value);
      if (operator === "<" || operator === "<=") return [`a.oldest_ms ${operator} ?`];
      if (operator !== "=") return [`a.newest_ms ${operator} ?`];
      values.push(value);
      return ["a.newest_ms >= ?", "a.oldest_ms <= ?"];
    case "eventType": {
      if (operator !== "=") return [];
      const kind = kindOf(String(value));
      values.push(kind, kind);
      return ["(a.kinds & ?) = ?"];
    }
    case "pipelineId":
      if (operator === "=" && value === "") return ["a.pipeline IS NULL"];
      if (operator === "~") return [];
      values.push(value);
      if (operator === "=") return ["a.pipeline = (SELECT n FROM pipelines WHERE pipeline_id = ?)"];
      return [`coalesce(p.pipeline_id, '') ${operator} ?`];
    case "auditId":
      if (operator !== "=") return [];
      values.push(pipelineOf(String(value)), tenant);
      return [
        `a.n IN (SELECT n FROM audit WHERE pipeline = (SELECT n FROM pipelines WHERE pipeline_id = ?)
          UNION ALL SELECT n FROM audit WHERE tenant = ? AND has_own_ids = 0)`,
      ];
  }
}

/** The pipeline id in the audit id of a pipeline's entry; ids of fleet entries have none. */
function pipelineOf(auditId: string): string {
  return auditId.slice(0, Math.max(0, auditId.indexOf("/")));
}
