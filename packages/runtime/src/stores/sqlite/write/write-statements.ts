import type { DatabaseSync, StatementSync } from "node:sqlite";
import { maxAmount } from "../../../ports/store.ts";

export type WriteStatements = ReturnType<typeof prepareWrites>;

const amounts = [
  ...["calls", "input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens"],
  ...["reasoning_tokens", "cost_micro_usd"],
];
/** A sum beyond 64 bits would be no integer, which the table refuses. */
const sums = amounts.map((name) => `${name} = min(${maxAmount}, ${name} + excluded.${name})`).join(", ");

/** The statements of `commit`, prepared once. */
export function prepareWrites(db: DatabaseSync) {
  const prepare = (sql: string): StatementSync => db.prepare(sql);
  return {
    begin: prepare("BEGIN IMMEDIATE"),
    commit: prepare("COMMIT"),
    rollback: prepare("ROLLBACK"),

    lastBatch: prepare("SELECT last_batch FROM writers WHERE writer = ?"),
    addWriter: prepare(
      "INSERT INTO writers (writer, last_batch) VALUES (?, 1) ON CONFLICT (writer) DO NOTHING",
    ),
    setLastBatch: prepare("UPDATE writers SET last_batch = ?2 WHERE writer = ?1 AND last_batch = ?2 - 1"),

    findTenant: prepare("SELECT n FROM tenants WHERE tenant_id = ?"),
    addTenant: prepare("INSERT INTO tenants (tenant_id) VALUES (?)"),

    findPipeline: prepare(
      "SELECT n, version, status, ended, agents, labels FROM pipelines WHERE pipeline_id = ?",
    ),
    addPipeline: prepare(
      `INSERT INTO pipelines (pipeline_id, tenant, version, status, ended, template_id, pipeline_name, created_ms,
        updated_ms, task_id, risk_tier, labels, agents) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    makePipeline: prepare(
      `UPDATE pipelines SET tenant = ?, version = ?, status = ?, ended = ?, template_id = ?, pipeline_name = ?,
        created_ms = ?, updated_ms = ?, task_id = ?, risk_tier = ?, labels = ?, agents = ? WHERE n = ? AND version = 0`,
    ),
    advancePipeline: prepare("UPDATE pipelines SET version = ?, updated_ms = ? WHERE n = ? AND version = ?"),
    changePipeline: prepare(
      "UPDATE pipelines SET version = ?, updated_ms = ?, status = ?, ended = ? WHERE n = ? AND version = ?",
    ),
    setLabels: prepare("UPDATE pipelines SET labels = ? WHERE n = ?"),
    setAgents: prepare("UPDATE pipelines SET agents = ? WHERE n = ?"),
    setView: prepare(
      "INSERT INTO views (pipeline, view) VALUES (?, ?) ON CONFLICT (pipeline) DO UPDATE SET view = excluded.view",
    ),
    removeView: prepare("DELETE FROM views WHERE pipeline = ?"),
    setNewest: prepare("UPDATE clock SET newest_ms = ?1 WHERE newest_ms < ?1"),

    addRecords: prepare(
      `INSERT INTO journal (pipeline, version, last_version, directory, text, contents, sum, sealed, first_audited, last_audited)
        VALUES (?, ?, ?, ?, '', x'', ?, ?, ?, ?)`,
    ),
    directories: prepare("SELECT directory FROM journal WHERE pipeline = ?"),
    addCommand: prepare("INSERT INTO outbox (id, pipeline, text, sealed) VALUES (?, ?, '', ?)"),
    removeCommand: prepare("DELETE FROM outbox WHERE id = ?"),
    setTimer: prepare(
      `INSERT INTO timers (pipeline, timer_id, at_ms) VALUES (?, ?, ?)
        ON CONFLICT (pipeline, timer_id) DO UPDATE SET at_ms = excluded.at_ms`,
    ),
    clearTimer: prepare("DELETE FROM timers WHERE pipeline = ? AND timer_id = ?"),
    ringTimer: prepare("DELETE FROM timers WHERE pipeline = ? AND timer_id = ? AND at_ms = ?"),
    setEscalation: prepare(
      `INSERT INTO escalations (escalation_id, tenant, pipeline, stage_id, kind, risk_tier, raised_ms, resolved_ms,
        escalation) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (escalation_id) DO UPDATE SET stage_id = excluded.stage_id, kind = excluded.kind,
          risk_tier = excluded.risk_tier, raised_ms = excluded.raised_ms, resolved_ms = excluded.resolved_ms,
          escalation = excluded.escalation`,
    ),
    addFleet: prepare("INSERT INTO fleet (tenant, text, sealed) VALUES (?, '', ?)"),
    addAudit: prepare(
      `INSERT INTO audit (tenant, first_sequence, last_sequence, pipeline, oldest_ms, newest_ms, kinds, has_own_ids,
        directory, entries) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    addCheckpoint: prepare(
      "INSERT INTO checkpoints (tenant, sequence, checkpoint, public_key, peaks) VALUES (?, ?, ?, ?, ?)",
    ),
    addNode: prepare("INSERT INTO tree_nodes (tenant, level, place, hash) VALUES (?, ?, ?, ?)"),
    addEvents: prepare(
      "INSERT INTO events (tenant, first_sequence, last_sequence, at_ms, events) VALUES (?, ?, ?, ?, ?)",
    ),
    setTask: prepare(
      `INSERT INTO task_states (pipeline, stage_id, state, head_hash, updated_ms) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (pipeline, stage_id) DO UPDATE SET state = excluded.state,
          head_hash = coalesce(excluded.head_hash, head_hash), updated_ms = excluded.updated_ms`,
    ),
    addTurn: prepare(
      `INSERT INTO agent_logs (tenant, pipeline, dispatch_id, turn_index, envelope_json, event_id, pack_id, at_ms)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    beginCall: prepare(
      `INSERT INTO open_calls (tenant, pipeline, dispatch_id, call_id, tool, at_ms) VALUES (?, ?, ?, ?, ?, ?)
        ON CONFLICT (dispatch_id, call_id) DO NOTHING`,
    ),
    endCall: prepare("DELETE FROM open_calls WHERE dispatch_id = ? AND call_id = ?"),
    holdBack: prepare(
      `INSERT INTO held_back (dispatch_id, tenant, pipeline, text, sealed) VALUES (?, ?, ?, '', ?)
        ON CONFLICT (dispatch_id) DO UPDATE SET sealed = excluded.sealed`,
    ),
    addSpend: prepare(
      `INSERT INTO spend (tenant, day, pack_id, template_id, provider, model, calls, input_tokens, output_tokens,
        cache_read_tokens, cache_write_tokens, reasoning_tokens, cost_micro_usd, cost_unknown)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (tenant, day, pack_id, template_id, provider, model) DO UPDATE SET
          ${sums}, cost_unknown = max(cost_unknown, excluded.cost_unknown)`,
    ),
    addKnowledge: prepare(
      "INSERT INTO knowledge (tenant, topic, key, at_ms, content, sum) VALUES (?, ?, ?, ?, ?, ?)",
    ),
    setStep: prepare(
      `INSERT INTO steps (tenant, pipeline, dispatch_id, ordinal, at_ms, info, value, value_bytes, sum)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (dispatch_id, ordinal) DO UPDATE SET at_ms = excluded.at_ms, info = excluded.info,
          value = excluded.value, value_bytes = excluded.value_bytes, sum = excluded.sum`,
    ),
    deleteHeldBack: prepare("DELETE FROM held_back WHERE dispatch_id = ?"),
  };
}
