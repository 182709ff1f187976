/** Pipeline, its stages and the policies they carry. */
import type { JsonObject } from "@bufbuild/protobuf";
import { breaks, type Case, hollow, valid } from "../case.ts";
import { missing } from "../missing.ts";
import { contract, epoch, finishedAt, guardrailVerdicts, startedAt, trace } from "../parts.ts";
import { absent, patch } from "../patch.ts";
import { fullAlignment, fullGovernance } from "./governance.ts";
import { fullResult } from "./result.ts";

/** Nothing but what the rules demand. */
export const minimalPipeline: JsonObject = { pipelineId: "p-1", stages: [{ stageId: "implement" }], trace };

const rewindEdge: JsonObject = {
  condition: "response.status == 'failure'",
  targetStageId: "design",
  maxTimes: 3,
};

const fullStageConfig: JsonObject = {
  contractTemplate: contract,
  handoffPolicy: {
    contextLevel: "CONTEXT_LEVEL_LAYERED",
    escalation: { autoEscalateOnSecurityFlag: ["touches_auth"], escalateOnPolicyBlocked: true },
    retry: { maxAttempts: 3, initialBackoff: "1s", backoffMultiplier: 2, maxBackoff: "60s", jitter: 0.2 },
    freshness: { maxRefStaleness: "3600s", requireDigest: true, hardMaxRefStaleness: "86400s" },
  },
  required: true,
  dependsOnStages: ["design"],
  contextPropagation: {
    mode: "CONTEXT_PROPAGATION_MODE_CUMULATIVE",
    carryFields: ["decisions_made"],
    carryArtifacts: true,
    carryDecisions: true,
    carryRisks: true,
  },
  condition: "design.data.approved",
  inputMapping: { plan: "{{design.data.plan}}" },
  errorStageId: "repair",
  rewindEdges: [rewindEdge],
  mayComplete: true,
  budget: { maxTokens: "500000" },
  timeout: "1800s",
  riskTier: "RISK_TIER_NORMAL",
  outputSchema: { type: "object" },
  packId: "senior-ts-dev",
  edges: [{ fromStageId: "design", kind: "EDGE_KIND_ERROR", condition: "response.data.missing > 1" }],
  join: "EDGE_JOIN_ALL",
};

const edgeDecision: JsonObject = {
  fromStageId: "review",
  toStageId: "implement",
  kind: "EDGE_KIND_BACK",
  condition: "response.data.score < 0.5",
  taken: true,
  values: { response: { data: { score: 0.3 } } },
  reason: "name the date",
  at: finishedAt,
  timesTaken: 1,
  maxTimes: 3,
};

export const pipelineSummary: JsonObject = {
  artifacts: [{ path: "src/login-limit.ts", action: "ARTIFACT_ACTION_CREATED" }],
  decisions: [{ decisionId: "D-2", description: "Count attempts per account" }],
  risks: ["A locked account is a way to annoy its owner"],
  timing: { startedAt, finishedAt, duration: "2550.250s" },
  stagesCompleted: 2,
  stagesSkipped: 1,
  totalRetries: 1,
  totalRejections: 1,
  usage: { inputTokens: "120000", outputTokens: "8000", costMicroUsd: "640000", steps: 31 },
  leftOut: 3,
};

export const fullPipelinePolicy: JsonObject = {
  maxTotalRetries: 6,
  maxRejections: 3,
  pipelineDeadline: "86400s",
  failureStrategy: "FAILURE_STRATEGY_PAUSE",
  requireAllStages: true,
  serial: true,
  softDeadline: true,
  budget: { maxTokens: "1000000", maxCostMicroUsd: "5000000", maxSteps: 400 },
};

const fullPipeline = patch(minimalPipeline, {
  pipeline_name: "Implement and review",
  source_task_id: "T-1042",
  status: "PIPELINE_STATUS_COMPLETED",
  stages: [
    {
      stageId: "implement",
      stageOrder: 1,
      stageName: "Implement",
      taskType: "implement",
      status: "STAGE_STATUS_COMPLETED",
      config: fullStageConfig,
      dispatchId: "dispatch-2",
      assignedPackId: "senior-ts-dev",
      attemptNumber: 2,
      result: fullResult,
      assignedInstanceId: "senior-ts-dev-1",
      startedAt,
      finishedAt,
      waitingFor: "A reviewer",
      commit: "9fceb02d0ae598e95dc970b74767f19372d61af8",
      workspace: { repository: "/srv/login", branch: "baton/p-1/implement/2" },
      resultLeftOutBytes: 5_000_000,
      edges: [edgeDecision],
      guardrails: [...guardrailVerdicts],
      alignment: fullAlignment,
    },
  ],
  policy: fullPipelinePolicy,
  created_at: startedAt,
  updated_at: finishedAt,
  template_id: "implement-and-review",
  status_reason: "Every stage completed",
  summary: pipelineSummary,
  revision: "17",
  waits_for_person: true,
  origin: {
    pipelineId: "p-0",
    stageId: "implement",
    revision: "12",
    reason: "another size",
    takenStages: ["plan"],
  },
  rejections_left: 2,
  labels: [{ name: "team", value: "accounts" }],
  risk_tier: "RISK_TIER_NORMAL",
  governance: fullGovernance,
  alignment: fullAlignment,
});

const handoff = "stages[0].config.handoff_policy";

/** One below zero and one above the largest that the rules accept. */
const outside = (field: string, largest: number, type: string, what: string) =>
  [
    [field, -1, `${type}.gte_lte`, `Fewer than no ${what}.`, { suffix: "below" }],
    [field, largest + 1, `${type}.gte_lte`, `More ${what} than the rules accept.`, { suffix: "above" }],
  ] as const;

const stages = (...all: readonly JsonObject[]) => patch(minimalPipeline, { stages: [...all] });
const configured = (config: JsonObject) => stages({ stageId: "implement", config });

export const pipelineCases: readonly Case[] = [
  valid(
    "pipeline-minimal",
    "Pipeline",
    "The smallest pipeline that the rules accept: one stage.",
    minimalPipeline,
  ),
  valid("pipeline-full", "Pipeline", "A pipeline in which every field is set.", fullPipeline),
  valid(
    "pipeline-no-rejection-left",
    "Pipeline",
    "No rejection is left, which is not the same as nothing said.",
    patch(minimalPipeline, { rejections_left: 0 }),
  ),
  valid(
    "pipeline-hollow",
    "Pipeline",
    "Sub-messages that are there but empty.",
    patch(minimalPipeline, {
      stages: [
        {
          stageId: "implement",
          config: {
            handoffPolicy: {
              escalation: {},
              retry: { initialBackoff: "0s", maxBackoff: "0s" },
              freshness: { maxRefStaleness: "0s", hardMaxRefStaleness: "0s" },
            },
            contextPropagation: {},
            inputMapping: {},
            budget: {},
            outputSchema: {},
          },
          startedAt: epoch,
          finishedAt: epoch,
          edges: [{ fromStageId: "design", toStageId: "implement", values: {}, at: epoch }],
          alignment: {},
        },
      ],
      policy: { pipelineDeadline: "0s", budget: {} },
      created_at: epoch,
      updated_at: epoch,
      summary: { timing: {}, usage: {} },
      alignment: {},
    }),
  ),
  valid(
    "pipeline-hollow-policies",
    "Pipeline",
    "Policies and a configuration that leave everything to the defaults.",
    patch(minimalPipeline, {
      stages: [
        { stageId: "design", config: {} },
        { stageId: "implement", config: { handoffPolicy: {} } },
        { stageId: "review", config: { handoffPolicy: { retry: {}, freshness: {} } } },
      ],
      policy: {},
      summary: {},
    }),
  ),
  valid(
    "pipeline-policies-that-switch-off",
    "Pipeline",
    "Policies that switch off what zero or false would leave to the defaults.",
    patch(minimalPipeline, {
      stages: [{ stageId: "implement", config: { handoffPolicy: { retry: { noJitter: true } } } }],
      policy: { noRetries: true, noRejections: true, parallel: true, hardDeadline: true },
    }),
  ),
  valid(
    "pipeline-every-stage-status",
    "Pipeline",
    "Stages in every status.",
    stages(
      ...["UNSPECIFIED", "PENDING", "READY", "DISPATCHED", "COMPLETED", "FAILED", "SKIPPED", "REJECTED"].map(
        (status) => ({ stageId: status.toLowerCase(), status: `STAGE_STATUS_${status}` }),
      ),
    ),
  ),
  valid(
    "pipeline-every-propagation-mode",
    "Pipeline",
    "Stages with every way to pass context on.",
    stages(
      ...["UNSPECIFIED", "NONE", "PREVIOUS", "CUMULATIVE"].map((mode) => ({
        stageId: mode.toLowerCase(),
        config: { contextPropagation: { mode: `CONTEXT_PROPAGATION_MODE_${mode}` } },
      })),
    ),
  ),
  valid(
    "pipeline-every-context-level",
    "Pipeline",
    "Stages with every level of context.",
    stages(
      ...["UNSPECIFIED", "MINIMAL", "LAYERED", "RICH"].map((level) => ({
        stageId: level.toLowerCase(),
        config: { handoffPolicy: { contextLevel: `CONTEXT_LEVEL_${level}` } },
      })),
    ),
  ),
  ...["FAIL_FAST", "SKIP_FAILED", "PAUSE"].map((strategy) =>
    valid(
      `pipeline-failure-strategy-${strategy.toLowerCase().replaceAll("_", "-")}`,
      "Pipeline",
      `Failure strategy ${strategy} by its name.`,
      patch(minimalPipeline, { "policy.failure_strategy": `FAILURE_STRATEGY_${strategy}` }),
    ),
  ),
  valid(
    "pipeline-bounds",
    "Pipeline",
    "Numbers exactly at their bounds: jitter of 0 and 1, an edge taken once and a hundred times, the shortest timeout.",
    stages(
      { stageId: "never", config: { handoffPolicy: { retry: { jitter: 0 } }, timeout: "0.000000001s" } },
      {
        stageId: "always",
        config: {
          handoffPolicy: { retry: { jitter: 1 } },
          rewindEdges: [
            { ...rewindEdge, maxTimes: 1 },
            { ...rewindEdge, maxTimes: 100 },
          ],
        },
      },
    ),
  ),
  valid(
    "pipeline-longest-edges",
    "Pipeline",
    "As many edges as a graph may have, the longest condition, and the longest name of a pack.",
    configured({
      packId: "p".repeat(256),
      edges: Array.from({ length: 2000 }, (_, place) => ({
        fromStageId: `stage-${place}`,
        ...(place === 0 && { condition: "x".repeat(4096) }),
      })),
    }),
  ),
  ...["UNSPECIFIED", "DEFAULT", "ERROR", "BACK"].map((kind) =>
    valid(
      `pipeline-edge-decision-${kind.toLowerCase()}`,
      "Pipeline",
      `A decision about an edge of kind ${kind}.`,
      stages({ stageId: "implement", edges: [{ ...edgeDecision, kind: `EDGE_KIND_${kind}` }] }),
    ),
  ),
  valid(
    "pipeline-edge-decision-minimal",
    "Pipeline",
    "A decision about an edge that read nothing.",
    stages({ stageId: "implement", edges: [{ fromStageId: "design", toStageId: "implement" }] }),
  ),
  valid(
    "pipeline-every-join",
    "Pipeline",
    "Stages with every join.",
    stages(
      ...["UNSPECIFIED", "ANY", "ALL"].map((join) => ({
        stageId: join.toLowerCase(),
        config: { join: `EDGE_JOIN_${join}` },
      })),
    ),
  ),
  ...breaks("Pipeline", minimalPipeline, [
    ["pipeline_id", "", "string.min_len", "A pipeline without an id."],
    ["stages", [], "repeated.min_items", "A pipeline that does nothing."],
    ["stages[0].stage_id", "", "string.min_len", "A stage without an id cannot be depended on."],
    [
      "stages[0].guardrails",
      [{ name: "" }],
      "string.min_len",
      "A verdict of nothing.",
      { at: "stages[0].guardrails[0].name" },
    ],
    [
      "stages[0].guardrails",
      [{ name: "a", decision: 9 }],
      "enum.defined_only",
      "A verdict that is none.",
      { at: "stages[0].guardrails[0].decision" },
    ],
    ["trace", absent, "required", "A pipeline without a trace."],
    ["revision", "-1", "int64.gte", "A pipeline that changed fewer than no times."],
    ["rejections_left", -1, "int32.gte", "Fewer than no rejections are left."],
    [
      "origin",
      { stageId: "implement" },
      "string.min_len",
      "An origin without a pipeline.",
      { at: "origin.pipeline_id" },
    ],
    [
      "origin",
      { pipelineId: "p-0" },
      "string.min_len",
      "An origin without a stage.",
      { at: "origin.stage_id" },
    ],
    [
      "origin",
      { pipelineId: "p-0", stageId: "implement", revision: "-1" },
      "int64.gte",
      "An origin before its beginning.",
      { at: "origin.revision" },
    ],
    ["summary.stages_completed", -1, "int32.gte", "Fewer than no stages completed."],
    ["summary.stages_skipped", -1, "int32.gte", "Fewer than no stages were left out."],
    ["summary.left_out", -1, "int32.gte", "Fewer than none are left out."],
    ["stages[0].result_left_out_bytes", -1, "int32.gte", "Fewer than no bytes were left out."],
    ["summary.total_retries", -1, "int32.gte", "Fewer than no retries."],
    ["summary.total_rejections", -1, "int32.gte", "Fewer than no rejections."],
    [
      "summary.timing",
      { startedAt: finishedAt, finishedAt: startedAt },
      "result_timing.starts_before_it_finishes",
      "A pipeline that ended before it began.",
    ],
    ["stages[0].config.timeout", "0s", "duration.gt", "An attempt that may take no time at all."],
    [
      "stages[0].config.timeout",
      "-1s",
      "duration.gt",
      "An attempt that may take less than no time.",
      { suffix: "negative" },
    ],
    ["stages[0].config.risk_tier", 4, "enum.defined_only", "A risk tier that nobody knows."],
    ...outside("policy.max_total_retries", 10_000, "int32", "retries of a pipeline"),
    ...outside("policy.max_rejections", 1000, "int32", "rejections"),
    ...outside(`${handoff}.retry.max_attempts`, 100, "int32", "attempts"),
    ...outside(`${handoff}.retry.backoff_multiplier`, 100, "double", "times the wait before"),
    ...[
      "policy.pipeline_deadline",
      `${handoff}.retry.initial_backoff`,
      `${handoff}.retry.max_backoff`,
      `${handoff}.freshness.max_ref_staleness`,
      `${handoff}.freshness.hard_max_ref_staleness`,
    ].map((field) => [field, "-1s", "duration.gte", "A duration below zero."] as const),
    [
      "stages[0].config.handoff_policy.retry.jitter",
      -0.1,
      "double.gte_lte",
      "A negative jitter.",
      { suffix: "below" },
    ],
    [
      "stages[0].config.handoff_policy.retry.jitter",
      1.1,
      "double.gte_lte",
      "More jitter than wait.",
      { suffix: "above" },
    ],
    [
      "stages[0].config.handoff_policy.retry.jitter",
      "NaN",
      "double.gte_lte",
      "A jitter that is not a number lies within no bounds.",
      { suffix: "nan" },
    ],
  ]),
  ...breaks("Pipeline", configured({ rewindEdges: [rewindEdge] }), [
    [edge("condition"), "", "string.min_len", "An edge that is never and always taken."],
    [edge("target_stage_id"), "", "string.min_len", "An edge that leads nowhere."],
    [edge("max_times"), 0, "int32.gte_lte", "An edge that may never be taken.", { suffix: "below" }],
    [edge("max_times"), 101, "int32.gte_lte", "An edge that may be taken too often.", { suffix: "above" }],
  ]),
  ...breaks("Pipeline", configured({ edges: [{ fromStageId: "design" }] }), [
    [incoming("from_stage_id"), "", "string.min_len", "An edge that leaves no stage."],
    [incoming("kind"), "EDGE_KIND_BACK", "enum.not_in", "An edge back does not lead forward."],
    [incoming("kind"), 9, "enum.defined_only", "A kind of edge that nobody knows."],
    [incoming("condition"), "x".repeat(4097), "string.max_len", "A condition that is too long."],
    ["stages[0].config.join", 3, "enum.defined_only", "A join that nobody knows."],
    ["stages[0].config.pack_id", "x".repeat(257), "string.max_len", "A pack with a name that is too long."],
    [
      "stages[0].config.edges",
      Array.from({ length: 2001 }, () => ({ fromStageId: "design" })),
      "repeated.max_items",
      "More edges than a graph may have.",
    ],
  ]),
  ...breaks("Pipeline", stages({ stageId: "implement", edges: [edgeDecision] }), [
    [decided("from_stage_id"), "", "string.min_len", "A decision about an edge that leaves no stage."],
    [decided("to_stage_id"), "", "string.min_len", "A decision about an edge that leads nowhere."],
    [decided("kind"), 9, "enum.defined_only", "A decision about a kind of edge that nobody knows."],
    [decided("times_taken"), -1, "int32.gte", "An edge that was taken fewer than no times."],
    [decided("max_times"), -1, "int32.gte", "An edge that may be taken fewer than no times."],
  ]),
  ...hollow("Pipeline", minimalPipeline, [
    ["trace", missing.traceContext],
    ["origin", missing.pipelineOrigin],
    ["governance", missing.governance],
    ["stages[0].result", missing.agentResult],
    ["stages[0].workspace", missing.workspace],
    ["stages[0].config.contract_template", missing.contract],
  ]),
];

function incoming(field: string): string {
  return `stages[0].config.edges[0].${field}`;
}

function decided(field: string): string {
  return `stages[0].edges[0].${field}`;
}

function edge(field: string): string {
  return `stages[0].config.rewind_edges[0].${field}`;
}
