import type { DatabaseSync, StatementSync } from "node:sqlite";
import { maxAmount } from "../../../ports/store.ts";
import { versionWithEncryption } from "../crypto/adopt-key.ts";
import { versionOf } from "../schema/migrate.ts";
import { labelColumn } from "./query-sql.ts";

const versionWithSums = 3;
const versionWithTurns = 4;
const versionWithHeldBack = 5;
const versionWithWriters = 10;
export const versionWithSteps = 11;
export const versionWithKnowledge = 13;

export type ReadStatements = ReturnType<typeof prepareReads>;

/** `sum` fails beyond 64 bits; `total` is exact up to the end of the amounts. */
export function amount(expression: string): string {
  return `CAST(min(total(${expression}), ${maxAmount}.0) AS INTEGER)`;
}

/** All reads except queries, prepared once. */
export function prepareReads(db: DatabaseSync) {
  const prepare = (sql: string): StatementSync => db.prepare(sql);
  // A store that is opened for reading may be older.
  const version = versionOf(db);
  const sum = version < versionWithSums ? "NULL" : "sum";
  const sealed = version < versionWithEncryption ? "NULL AS sealed" : "sealed";
  const column = (name: string) => `${labelColumn(name, version)} AS ${name}`;
  const ofKnowledge = (where: string) =>
    version < versionWithKnowledge
      ? undefined
      : prepare(
          `SELECT n, topic, key, at_ms, content, sum FROM knowledge
            WHERE tenant = (SELECT n FROM tenants WHERE tenant_id = :tenantId) AND topic = :topic ${where}
              AND n < :before ORDER BY n DESC LIMIT :limit`,
        );
  const ofTurns = (sql: string) => (version < versionWithTurns ? undefined : db.prepare(sql));
  return {
    tenant: prepare("SELECT n FROM tenants WHERE tenant_id = ?"),
    heads: prepare(
      `SELECT t.n, t.tenant_id, e.last_sequence AS event_sequence FROM tenants t
        LEFT JOIN events e ON e.tenant = t.n
          AND e.first_sequence = (SELECT max(first_sequence) FROM events WHERE tenant = t.n)`,
    ),
    lastBatch:
      version < versionWithWriters ? undefined : prepare("SELECT last_batch FROM writers WHERE writer = ?"),
    newestMs: prepare("SELECT newest_ms FROM clock"),

    openPipelines: prepare(
      "SELECT n FROM pipelines WHERE ended = 0 ORDER BY tenant, created_ms, pipeline_id",
    ),
    openPipeline: prepare("SELECT pipeline_id, version FROM pipelines WHERE n = ? AND ended = 0"),
    journalHead: prepare(
      "SELECT n, pipeline_id, version FROM pipelines WHERE pipeline_id = ? AND version > 0",
    ),
    journal: prepare(
      `SELECT version, last_version, directory, text, contents, ${sealed}, ${sum} AS sum FROM journal
        WHERE pipeline = ? ORDER BY last_version`,
    ),
    pipeline: prepare(
      `SELECT p.pipeline_id, t.tenant_id, p.status, p.ended, p.template_id, p.pipeline_name, p.created_ms, p.updated_ms,
        ${column("task_id")}, ${column("risk_tier")}, ${column("labels")}, ${column("agents")}, v.view FROM pipelines p JOIN tenants t ON t.n = p.tenant LEFT JOIN views v ON v.pipeline = p.n
        WHERE p.pipeline_id = ? AND p.version > 0`,
    ),
    escalation: prepare(
      `SELECT e.escalation_id, t.tenant_id, p.pipeline_id, e.stage_id, e.kind, e.risk_tier, e.raised_ms, e.resolved_ms,
        e.escalation FROM escalations e JOIN tenants t ON t.n = e.tenant JOIN pipelines p ON p.n = e.pipeline
        WHERE e.escalation_id = ?`,
    ),

    outbox: prepare(
      `SELECT o.id, p.pipeline_id, o.text, ${sealed} FROM outbox o CROSS JOIN pipelines p ON p.n = o.pipeline ORDER BY o.id`,
    ),
    timers: prepare(
      "SELECT p.pipeline_id, i.timer_id, i.at_ms FROM timers i CROSS JOIN pipelines p ON p.n = i.pipeline",
    ),
    fleet: prepare(
      `SELECT f.n, t.tenant_id, f.text, ${sealed} FROM fleet f CROSS JOIN tenants t ON t.n = f.tenant
        WHERE f.n > ? ORDER BY f.n LIMIT ?`,
    ),
    // Begins with the row with the first sequence above: the last row that begins at or below it.
    events: prepare(
      `SELECT e.first_sequence, e.last_sequence, e.at_ms, e.events FROM tenants t CROSS JOIN events e ON e.tenant = t.n
        WHERE t.tenant_id = :tenantId AND e.last_sequence > :after AND e.first_sequence >= coalesce(
          (SELECT max(first_sequence) FROM events WHERE tenant = t.n AND first_sequence <= :after + 1), 0)
        ORDER BY e.first_sequence`,
    ),
    turns: ofTurns(
      `SELECT t.tenant_id, p.pipeline_id, l.turn_index, l.envelope_json, l.event_id, l.pack_id, l.at_ms FROM agent_logs l
        CROSS JOIN tenants t ON t.n = l.tenant CROSS JOIN pipelines p ON p.n = l.pipeline
        WHERE l.dispatch_id = ? AND l.turn_index > ? ORDER BY l.turn_index LIMIT ?`,
    ),
    turn: ofTurns("SELECT 1 FROM agent_logs WHERE dispatch_id = ? AND turn_index = ?"),
    tasks: ofTurns(
      `SELECT stage_id, state, head_hash FROM task_states
        WHERE pipeline = (SELECT n FROM pipelines WHERE pipeline_id = ?) ORDER BY stage_id`,
    ),
    openCalls: ofTurns(
      `SELECT t.tenant_id, p.pipeline_id, c.dispatch_id, c.call_id, c.tool, c.at_ms FROM open_calls c
        CROSS JOIN tenants t ON t.n = c.tenant CROSS JOIN pipelines p ON p.n = c.pipeline
        ORDER BY c.at_ms, c.dispatch_id, c.call_id`,
    ),
    steps:
      version < versionWithSteps
        ? undefined
        : prepare(
            `SELECT t.tenant_id, p.pipeline_id, s.ordinal, s.at_ms, s.info, iif(:withValues, s.value, NULL) AS value, s.value_bytes, s.sum
              FROM steps s CROSS JOIN tenants t ON t.n = s.tenant CROSS JOIN pipelines p ON p.n = s.pipeline
              WHERE s.dispatch_id = :dispatchId AND s.ordinal > :after ORDER BY s.ordinal LIMIT :limit`,
          ),
    knowledge: ofKnowledge(""),
    knowledgeOfKey: ofKnowledge("AND key = :key"),
    heldBack:
      version < versionWithHeldBack
        ? undefined
        : prepare(
            `SELECT t.tenant_id, p.pipeline_id, h.dispatch_id, h.text, ${sealed} FROM held_back h
              CROSS JOIN tenants t ON t.n = h.tenant CROSS JOIN pipelines p ON p.n = h.pipeline`,
          ),
  };
}
