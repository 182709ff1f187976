/** Filters and orders of the API's lists. */
import { AuditEventType, EscalationKind, HealthStatus, PipelineStatus, RiskTier } from "@baton/contract";
import type { AuditField, EscalationField, PipelineField } from "../ports/store.ts";
import type { Holds } from "../query/filter.ts";
import type { ListRules } from "../query/page.ts";

/** Enum names without their prefix. */
function names(values: Readonly<Record<string, string | number>>, prefix: string): Holds {
  return { prefix, names: Object.keys(values).filter((name) => Number.isNaN(Number(name))) };
}

export const pipelineList: ListRules<PipelineField> = {
  fields: {
    pipeline_id: { field: "pipelineId", holds: "text" },
    pipeline_name: { field: "pipelineName", holds: "text" },
    template_id: { field: "templateId", holds: "text" },
    source_task_id: { field: "taskId", holds: "text" },
    risk_tier: { field: "riskTier", holds: names(RiskTier, "RISK_TIER_") },
    agent: { field: "agents", holds: "members" },
    "labels.*": { field: "labels", holds: "entries" },
    status: { field: "status", holds: names(PipelineStatus, "PIPELINE_STATUS_") },
    created_at: { field: "createdAtMs", holds: "time" },
    updated_at: { field: "updatedAtMs", holds: "time" },
    ended: { field: "ended", holds: "boolean" },
    waits_for_person: { field: "waitsForPerson", holds: "boolean" },
  },
  defaultOrder: "created_at desc",
  unique: "pipelineId",
};

export const escalationList: ListRules<EscalationField> = {
  fields: {
    escalation_id: { field: "escalationId", holds: "text" },
    pipeline_id: { field: "pipelineId", holds: "text" },
    stage_id: { field: "stageId", holds: "text" },
    kind: { field: "kind", holds: names(EscalationKind, "ESCALATION_KIND_") },
    risk_tier: { field: "riskTier", holds: names(RiskTier, "RISK_TIER_") },
    raised_at: { field: "raisedAtMs", holds: "time" },
    resolved: { field: "resolved", holds: "boolean" },
  },
  defaultOrder: "raised_at",
  unique: "escalationId",
};

export const auditList: ListRules<AuditField> = {
  fields: {
    sequence: { field: "sequence", holds: "number" },
    audit_id: { field: "auditId", holds: "text" },
    pipeline_id: { field: "pipelineId", holds: "text" },
    event_type: { field: "eventType", holds: names(AuditEventType, "AUDIT_EVENT_TYPE_") },
    timestamp: { field: "atMs", holds: "time" },
  },
  defaultOrder: "sequence",
  unique: "sequence",
};

/** Instances of two packs may share an id; `name` contains both. */
export type AgentField = "packId" | "instanceId" | "packVersion" | "health" | "attached" | "gone" | "name";

export const agentList: ListRules<AgentField> = {
  fields: {
    pack_id: { field: "packId", holds: "text" },
    instance_id: { field: "instanceId", holds: "text" },
    pack_version: { field: "packVersion", holds: "text" },
    "health.status": { field: "health", holds: names(HealthStatus, "HEALTH_STATUS_") },
    attached: { field: "attached", holds: "boolean" },
    gone: { field: "gone", holds: "boolean" },
  },
  defaultOrder: "gone, pack_id, instance_id",
  unique: "name",
};
