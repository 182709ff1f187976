/** Writes queries as SQL. Values are always parameters; only operators and the names in the tables below become text. */
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { LRUCache } from "lru-cache";
import type { Comparable, Comparison, EscalationField, PipelineField, Query } from "../../../ports/store.ts";

/**
 * How the rows of a query are found: first their numbers, from the columns of filters and order, then their other columns. So
 * large columns are read only for the rows of the page.
 */
export interface Source<Field extends string> {
  /** The number of a row, and the tables with the fields. */
  readonly find: string;
  /** Selects the rows of the tenant; the parameter is its number. */
  readonly ofTenant: string;
  /** Selective fields. SQLite cannot know that, and would scan the tenant's rows in the order of the query. */
  readonly selective: readonly Field[];
  /** Selects the columns of the rows in `found`. */
  readonly hand: { readonly columns: string; readonly joins: string };
  readonly fields: Readonly<Record<Field, string>>;
  /** The conditions of boolean fields, for false and true, written as in the partial indexes. */
  readonly conditions: Partial<Record<Field, readonly [whenFalse: string, whenTrue: string]>>;
  /** The column with the number of the pipeline, where rows do not have its id. */
  readonly pipelineNumber?: string;
}

/** Escalations. */
const isAsked = "EXISTS (SELECT 1 FROM escalations q WHERE q.pipeline = p.n AND q.resolved_ms IS NULL)";

/** Older stores, opened for reading, do not have these columns. */
export const versionWithLabels = 8;

/** A column that was introduced with labels, or its default. */
export function labelColumn(name: string, version: number): string {
  return version < versionWithLabels ? "''" : `p.${name}`;
}

export function pipelineSourceOf(version: number): Source<PipelineField> {
  const column = (name: string) => labelColumn(name, version);
  return {
    find: "SELECT p.n FROM pipelines p WHERE p.version > 0 AND",
    ofTenant: "p.tenant = ?",
    selective: ["pipelineId", "waitsForPerson"],
    hand: {
      columns: `p.pipeline_id, p.status, p.ended, p.template_id, p.pipeline_name, ${column("task_id")} AS task_id,
      ${column("risk_tier")} AS risk_tier, ${column("labels")} AS labels, ${column("agents")} AS agents, p.created_ms, p.updated_ms,
      ${isAsked} AS waits_for_person,
      (SELECT view FROM views WHERE pipeline = p.n) AS view`,
      joins: "CROSS JOIN pipelines p ON p.n = found.n",
    },
    fields: {
      pipelineId: "p.pipeline_id",
      status: "p.status",
      ended: "p.ended",
      templateId: "p.template_id",
      pipelineName: "p.pipeline_name",
      taskId: column("task_id"),
      riskTier: column("risk_tier"),
      labels: column("labels"),
      agents: column("agents"),
      createdAtMs: "p.created_ms",
      updatedAtMs: "p.updated_ms",
      waitsForPerson: isAsked,
    },
    conditions: {
      ended: ["p.ended = 0", "p.ended = 1"],
      // Few escalations are open: pipelines are found from them, without a scan of all pipelines.
      waitsForPerson: [
        `NOT ${isAsked}`,
        "p.n IN (SELECT q.pipeline FROM escalations q WHERE q.resolved_ms IS NULL)",
      ],
    },
  };
}

export const escalationSource: Source<EscalationField> = {
  find: "SELECT e.n FROM escalations e CROSS JOIN pipelines p ON p.n = e.pipeline WHERE",
  ofTenant: "e.tenant = ?",
  selective: ["escalationId", "pipelineId"],
  hand: {
    columns: `e.escalation_id, p.pipeline_id, e.stage_id, e.kind, e.risk_tier, e.raised_ms, e.resolved_ms,
      e.escalation`,
    joins: "CROSS JOIN escalations e ON e.n = found.n CROSS JOIN pipelines p ON p.n = e.pipeline",
  },
  fields: {
    escalationId: "e.escalation_id",
    pipelineId: "p.pipeline_id",
    stageId: "e.stage_id",
    kind: "e.kind",
    riskTier: "e.risk_tier",
    raisedAtMs: "e.raised_ms",
    resolved: "(e.resolved_ms IS NOT NULL)",
  },
  conditions: { resolved: ["e.resolved_ms IS NULL", "e.resolved_ms IS NOT NULL"] },
  pipelineNumber: "e.pipeline",
};

export interface Sql {
  readonly text: string;
  readonly values: readonly SQLInputValue[];
}

/** Prepares queries and caches them: callers repeat a few. */
export class PreparedQueries {
  readonly #db: DatabaseSync;
  readonly #statements = new LRUCache<string, StatementSync>({ max: 64 });

  constructor(db: DatabaseSync) {
    this.#db = db;
  }

  prepare(sql: string): StatementSync {
    const statement = this.#statements.get(sql) ?? this.#db.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

export function querySql<Field extends string>(
  source: Source<Field>,
  tenant: number,
  { where, orderBy, after, limit }: Query<Field>,
): Sql {
  const { find, ofTenant, selective, hand, fields } = source;
  const values: SQLInputValue[] = [tenant];
  const conditions = where.map((comparison) => ` AND ${conditionSql(source, comparison, values)}`);
  if (after !== undefined) conditions.push(` AND ${afterSql(source, orderBy, after, values)}`);
  const order = orderBy
    .map(({ field, descending }) => `${fields[field]} ${descending ? "DESC" : "ASC"}`)
    .join(", ");
  values.push(limit);
  // A plus sign keeps SQLite from using an index for what follows it.
  const isSelective = where.some(({ field, operator, value }) => {
    return operator === "=" && value !== "" && value !== false && selective.includes(field);
  });
  const tenantSql = `${isSelective ? "+" : ""}${ofTenant}`;
  const found = `${find} ${tenantSql}${conditions.join("")} ORDER BY ${order} LIMIT ?`;
  return { text: `SELECT ${hand.columns} FROM (${found}) found ${hand.joins} ORDER BY ${order}`, values };
}

function conditionSql<Field extends string>(
  { fields, conditions, pipelineNumber }: Source<Field>,
  { field, operator, value }: Comparison<Field>,
  values: SQLInputValue[],
): string {
  const [whenFalse, whenTrue] = conditions[field] ?? [];
  if (typeof value === "boolean" && whenFalse !== undefined && whenTrue !== undefined) {
    const fits = [false, true].map((side) => holds(side, operator, value));
    if (fits[0] === fits[1]) return fits[0] ? "1" : "0";
    return fits[0] ? whenFalse : whenTrue;
  }
  // The number uses the index; the id would need a lookup for every row.
  if (field === "pipelineId" && operator === "=" && pipelineNumber !== undefined) {
    if (value === "") return `${pipelineNumber} IS NULL`;
    values.push(parameter(value));
    return `${pipelineNumber} = (SELECT n FROM pipelines WHERE pipeline_id = ?)`;
  }
  values.push(parameter(value));
  if (operator === "~") return `instr(lower(${fields[field]}), lower(?)) > 0`;
  return `${fields[field]} ${operator} ?`;
}

/** Rows after the last one of the previous page: later in the first field that differs. */
function afterSql<Field extends string>(
  { fields }: Source<Field>,
  orderBy: Query<Field>["orderBy"],
  after: readonly Comparable[],
  values: SQLInputValue[],
): string {
  const [first] = orderBy;
  if (orderBy.every(({ descending }) => descending === first?.descending)) {
    for (const value of after) values.push(parameter(value));
    const names = orderBy.map(({ field }) => fields[field]);
    return `(${names.join(", ")}) ${first?.descending ? "<" : ">"} (${names.map(() => "?").join(", ")})`;
  }
  const ways = orderBy.map(({ field, descending }, place) => {
    const same = orderBy.slice(0, place).map((earlier, index) => {
      values.push(parameter(after[index]));
      return `${fields[earlier.field]} = ?`;
    });
    values.push(parameter(after[place]));
    return [...same, `${fields[field]} ${descending ? "<" : ">"} ?`].join(" AND ");
  });
  return `((${ways.join(") OR (")}))`;
}

function holds(side: boolean, operator: Comparison<string>["operator"], value: boolean): boolean {
  switch (operator) {
    case "=":
      return side === value;
    case "!=":
      return side !== value;
    case "<":
      return side < value;
    case "<=":
      return side <= value;
    case ">":
      return side > value;
    case ">=":
      return side >= value;
    case "~":
      return false; // Of texts alone.
  }
}

function parameter(value: Comparable | undefined): SQLInputValue {
  if (typeof value === "boolean") return Number(value);
  return value ?? null;
}
