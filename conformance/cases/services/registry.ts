/** AgentManifest, AgentHeartbeat, and the unary calls of RegistryService. */
import type { JsonObject } from "@bufbuild/protobuf";
import { breaks, type Case, hollow, valid } from "../case.ts";
import { minimalStep } from "../messages/step.ts";
import { missing } from "../missing.ts";
import { epoch, finishedAt, startedAt } from "../parts.ts";
import { absent, patch } from "../patch.ts";

export const minimalManifest: JsonObject = { packId: "senior-ts-dev", packVersion: "2.3.1" };
export const minimalHeartbeat: JsonObject = { packId: "senior-ts-dev", instanceId: "senior-ts-dev-1" };

const fullManifest = patch(minimalManifest, {
  capability_schema_version: "1.0.0",
  min_orchestrator_version: "0.1.0",
  safety_tier: "RISK_TIER_NORMAL",
  supported_task_types: ["implement", "fix"],
  provided_tools: ["npm"],
  required_tools: ["git"],
  owner_domains: ["accounts"],
  interface: {
    supportedSchemaVersions: ["^1.0.0"],
    acceptedRiskTiers: ["RISK_TIER_LOW", "RISK_TIER_NORMAL"],
    maxConcurrentTasks: 4,
    maxTaskDuration: "3600s",
  },
  role: "AGENT_ROLE_DEVELOPER",
  data_schema: { type: "object" },
  description: "Writes TypeScript",
});

const fullHeartbeat = patch(minimalHeartbeat, {
  health: {
    status: "HEALTH_STATUS_DEGRADED",
    errorRate1m: 0.25,
    avgLatency1m: "12.500s",
    degradedTools: ["npm"],
    consecutiveInvalidResults: 1,
    reason: "npm cannot reach its registry",
  },
  capacity: { activeTasks: 2, maxTasks: 4, queuedTasks: 1 },
  heartbeat_at: startedAt,
  lease_ttl: "30s",
  available_tools: ["docker"],
  endpoint: { uri: "https://agents.example/senior-ts-dev-1", transport: "AGENT_TRANSPORT_GRPC" },
  pack_version: "2.3.1",
});

const attempt: JsonObject = {
  pipelineId: "p-1",
  stageId: "implement",
  dispatchId: "p-1/implement/3",
  taskType: "implement",
  outcome: "AGENT_ATTEMPT_OUTCOME_FAILED",
  startedAt,
  endedAt: finishedAt,
  error: "these checks failed: tests",
};

const instance: JsonObject = {
  manifest: fullManifest,
  heartbeat: fullHeartbeat,
  leaseExpiresAt: finishedAt,
  attached: true,
  quarantineReason: "Two results whose evidence did not hold",
  disprovedClaims: 2,
  consecutiveDisprovedClaims: 1,
  packDisprovedClaims: 5,
  attachedBy: "ci-agents",
  breakerState: "half-open",
  goneSince: finishedAt,
  sandbox: "bubblewrap",
  work: {
    succeeded: 1,
    failed: 3,
    consecutiveFailures: 3,
    failing: true,
    lastFailure: attempt,
    recentAttempts: [attempt],
    busyWindow: "3600s",
    busyShare: 0.25,
  },
};

const listSteps: JsonObject = {
  packId: "senior-ts-dev",
  instanceId: "senior-ts-dev-1",
  dispatchId: "p-1/implement/2",
};

const reportStep: JsonObject = { ...listSteps, step: minimalStep };

const minimalRestore: JsonObject = {
  packId: "senior-ts-dev",
  instanceId: "senior-ts-dev-1",
  reason: "The compiler was repaired",
};

export const registryCases: readonly Case[] = [
  valid(
    "agent-manifest-minimal",
    "AgentManifest",
    "The smallest manifest that the rules accept.",
    minimalManifest,
  ),
  valid("agent-manifest-full", "AgentManifest", "A manifest in which every field is set.", fullManifest),
  valid(
    "agent-manifest-hollow",
    "AgentManifest",
    "Sub-messages that are there but empty.",
    patch(minimalManifest, { interface: { maxTaskDuration: "0s" }, data_schema: {} }),
  ),
  valid(
    "agent-manifest-hollow-interface",
    "AgentManifest",
    "An interface that promises nothing.",
    patch(minimalManifest, { interface: {} }),
  ),
  ...["RESEARCHER", "ARCHITECT", "DEVELOPER", "REVIEWER"].map((role) =>
    valid(
      `agent-manifest-role-${role.toLowerCase()}`,
      "AgentManifest",
      `Role ${role} by its name.`,
      patch(minimalManifest, { role: `AGENT_ROLE_${role}` }),
    ),
  ),
  valid(
    "agent-heartbeat-minimal",
    "AgentHeartbeat",
    "The smallest heartbeat that the rules accept.",
    minimalHeartbeat,
  ),
  valid("agent-heartbeat-full", "AgentHeartbeat", "A heartbeat in which every field is set.", fullHeartbeat),
  valid(
    "agent-heartbeat-hollow",
    "AgentHeartbeat",
    "Sub-messages that are there but empty: the agent speaks of its health and says nothing.",
    patch(minimalHeartbeat, { health: {}, capacity: {}, heartbeat_at: epoch, lease_ttl: "0s" }),
  ),
  valid(
    "agent-heartbeat-hollow-latency",
    "AgentHeartbeat",
    "No latency is not a latency of zero.",
    patch(minimalHeartbeat, { "health.avg_latency_1m": "0s" }),
  ),
  valid(
    "agent-heartbeat-http-json",
    "AgentHeartbeat",
    "An agent that listens for protobuf JSON.",
    patch(minimalHeartbeat, {
      endpoint: { uri: "http://localhost:9000", transport: "AGENT_TRANSPORT_HTTP_JSON" },
    }),
  ),
  valid(
    "agent-heartbeat-event-bus",
    "AgentHeartbeat",
    "An agent that takes its tasks from an event bus.",
    patch(minimalHeartbeat, {
      endpoint: { uri: "redis://localhost:6379/tasks", transport: "AGENT_TRANSPORT_EVENT_BUS" },
    }),
  ),
  valid("register-agent-request", "RegisterAgentRequest", "A manifest to make known.", {
    manifest: minimalManifest,
  }),
  valid("register-agent-response", "RegisterAgentResponse", "The same content had been registered before.", {
    alreadyRegistered: true,
  }),
  valid(
    "register-agent-response-empty",
    "RegisterAgentResponse",
    "False is the default and takes no bytes.",
    {},
  ),
  valid("send-heartbeat-request", "SendHeartbeatRequest", "A heartbeat.", { heartbeat: minimalHeartbeat }),
  valid("send-heartbeat-response", "SendHeartbeatResponse", "When the lease ends.", {
    leaseExpiresAt: finishedAt,
  }),
  valid(
    "send-heartbeat-response-epoch",
    "SendHeartbeatResponse",
    "An instant that is there, with nothing in it.",
    {
      leaseExpiresAt: epoch,
    },
  ),
  valid("send-heartbeat-response-empty", "SendHeartbeatResponse", "No instant at all.", {}),
  valid("list-agents-request", "ListAgentsRequest", "A page of instances.", {
    pageSize: 20,
    pageToken: "after:senior-ts-dev-1",
    filter: 'pack_id = "senior-ts-dev" AND health.status = HEALTH_STATUS_HEALTHY',
    orderBy: "pack_id, instance_id desc",
    recentAttempts: 20,
  }),
  valid("list-agents-response", "ListAgentsResponse", "Instances with every field.", {
    agents: [instance],
    nextPageToken: "after:senior-ts-dev-1",
  }),
  valid("list-agents-response-every-health", "ListAgentsResponse", "Instances in every state of health.", {
    agents: ["UNSPECIFIED", "HEALTHY", "DEGRADED", "UNHEALTHY", "QUARANTINED"].map((status) => ({
      heartbeat: patch(minimalHeartbeat, { "health.status": `HEALTH_STATUS_${status}` }),
    })),
  }),
  valid("list-agents-response-every-outcome", "ListAgentsResponse", "Attempts that ended in every way.", {
    agents: [
      {
        work: {
          recentAttempts: ["UNSPECIFIED", "SUCCEEDED", "FAILED", "INVALID", "LOST", "CANCELLED"].map(
            (outcome) => ({ outcome: `AGENT_ATTEMPT_OUTCOME_${outcome}` }),
          ),
        },
      },
    ],
  }),
  valid("restore-agent-request", "RestoreAgentRequest", "An instance to let in again.", minimalRestore),
  valid("restore-agent-response", "RestoreAgentResponse", "The instance is in again.", { agent: instance }),
  valid("restore-agent-response-hollow", "RestoreAgentResponse", "An instance of which nothing is known.", {
    agent: {},
  }),
  valid("restore-agent-response-hollow-lease", "RestoreAgentResponse", "A lease that ended at the epoch.", {
    agent: { leaseExpiresAt: epoch, goneSince: epoch },
  }),
  valid("list-agents-response-most-attempts", "ListAgentsResponse", "As many attempts as are remembered.", {
    agents: [{ work: { recentAttempts: new Array<JsonObject>(20).fill({}) } }],
  }),
  valid("restore-agent-response-no-work", "RestoreAgentResponse", "Work with nothing in it.", {
    agent: { work: {} },
  }),
  valid("restore-agent-response-hollow-work", "RestoreAgentResponse", "Work of which nothing is known.", {
    agent: {
      work: { lastFailure: {}, recentAttempts: [{ startedAt: epoch, endedAt: epoch }], busyWindow: "0s" },
    },
  }),
  valid("restore-agent-response-empty", "RestoreAgentResponse", "No instance at all.", {}),
  valid("report-step-request", "ReportStepRequest", "A step has begun.", reportStep),
  valid("report-step-response", "ReportStepResponse", "The step is stored.", {}),
  valid("list-steps-request", "ListStepsRequest", "The steps after the first 20.", {
    ...listSteps,
    after: 20,
  }),
  valid("list-steps-response", "ListStepsResponse", "A step of an earlier attempt.", {
    steps: [minimalStep],
  }),
  ...breaks("ReportStepRequest", reportStep, [
    ["pack_id", "", "string.min_len", "A step of no pack."],
    ["instance_id", "", "string.min_len", "A step of no instance."],
    ["dispatch_id", "", "string.min_len", "A step of no attempt."],
    ["step", absent, "required", "A report without a step."],
  ]),
  ...breaks("ListStepsRequest", listSteps, [
    ["pack_id", "", "string.min_len", "Steps for no pack."],
    ["instance_id", "", "string.min_len", "Steps for no instance."],
    ["dispatch_id", "", "string.min_len", "Steps for no attempt."],
    ["after", -1, "int32.gte", "Fewer than no steps are known."],
  ]),
  ...hollow("ReportStepRequest", reportStep, [["step", missing.step]]),
  ...breaks("AgentManifest", minimalManifest, [
    ["interface.max_concurrent_tasks", -1, "int32.gte", "Fewer than no tasks at once."],
    ["interface.max_task_duration", "-1s", "duration.gte", "A task that may take less than no time."],
    ["pack_id", "", "string.min_len", "A manifest of no pack."],
    ["pack_version", "", "string.min_len", "A manifest without a version could change in secret."],
    ["safety_tier", 4, "enum.defined_only", "A safety tier that nobody knows."],
    ["role", 5, "enum.defined_only", "A role that nobody knows."],
  ]),
  ...breaks("AgentHeartbeat", minimalHeartbeat, [
    ["pack_id", "", "string.min_len", "A heartbeat of no pack."],
    ["instance_id", "", "string.min_len", "A heartbeat of no instance."],
  ]),
  ...breaks("AgentHeartbeat", patch(fullHeartbeat, { health: {} }), [
    ["endpoint.uri", "", "string.min_len", "An endpoint without an address."],
    ["endpoint.transport", "AGENT_TRANSPORT_UNSPECIFIED", "enum.not_in", "An endpoint that speaks nothing."],
    ["endpoint.transport", 4, "enum.defined_only", "An endpoint that speaks what nobody knows."],
  ]),
  ...breaks("RegisterAgentRequest", { manifest: minimalManifest }, [
    ["manifest", absent, "required", "A registration of nobody."],
  ]),
  ...breaks("SendHeartbeatRequest", { heartbeat: minimalHeartbeat }, [
    ["heartbeat", absent, "required", "A heartbeat without a heartbeat."],
  ]),
  ...breaks("ListAgentsRequest", {}, [
    ["page_size", -1, "int32.gte", "A page of fewer than no instances."],
    ["recent_attempts", -1, "int32.gte_lte", "Fewer than no attempts.", { suffix: "below" }],
    ["recent_attempts", 21, "int32.gte_lte", "More attempts than are remembered.", { suffix: "above" }],
  ]),
  ...breaks("RestoreAgentResponse", { agent: {} }, [
    ["agent.disproved_claims", -1, "int32.gte", "Fewer than no claims were disproved."],
    ["agent.consecutive_disproved_claims", -1, "int32.gte", "Fewer than no claims in a row were disproved."],
    ["agent.pack_disproved_claims", -1, "int32.gte", "Fewer than no claims of a pack were disproved."],
    ["agent.work.succeeded", -1, "int32.gte", "Fewer than no attempts succeeded."],
    ["agent.work.failed", -1, "int32.gte", "Fewer than no attempts failed."],
    ["agent.work.consecutive_failures", -1, "int32.gte", "Fewer than no failures in a row."],
    [
      "agent.work.recent_attempts",
      new Array<JsonObject>(21).fill({}),
      "repeated.max_items",
      "More than are remembered.",
    ],
    ["agent.work.busy_window", "-1s", "duration.gte", "A window of less than no time."],
    ["agent.work.busy_share", -0.5, "double.gte_lte", "Busy for less than no time.", { suffix: "below" }],
    ["agent.work.busy_share", 1.5, "double.gte_lte", "Busy for longer than the time.", { suffix: "above" }],
    ["agent.work.last_failure.outcome", 99, "enum.defined_only", "An outcome that is none."],
  ]),
  ...breaks("RestoreAgentRequest", minimalRestore, [
    ["pack_id", "", "string.min_len", "An instance of no pack."],
    ["instance_id", "", "string.min_len", "No instance is named."],
    ["reason", "", "string.min_len", "Letting an agent in again needs a reason."],
  ]),
  ...hollow("AgentHeartbeat", minimalHeartbeat, [["endpoint", missing.agentEndpoint]]),
  ...hollow("RegisterAgentRequest", {}, [["manifest", missing.agentManifest]]),
  ...hollow("SendHeartbeatRequest", {}, [["heartbeat", missing.agentHeartbeat]]),
  ...hollow("RestoreAgentResponse", {}, [
    ["agent.manifest", missing.agentManifest],
    ["agent.heartbeat", missing.agentHeartbeat],
  ]),
];
