/** AgentResult and everything it holds. */
import type { JsonObject } from "@bufbuild/protobuf";
import { breaks, type Case, hollow, valid } from "../case.ts";
import { missing } from "../missing.ts";
import { epoch, finishedAt, schemaVersion, startedAt, trace } from "../parts.ts";
import { absent, patch } from "../patch.ts";
import { contextOut } from "./envelope.ts";

/** Nothing but what the rules demand. */
export const minimalResult: JsonObject = {
  protocolVersion: schemaVersion,
  status: {},
  trace,
  evidence: { noneWithReason: "The task was to read, not to write" },
  taskId: "T-1042",
  dispatchId: "dispatch-1",
  attemptNumber: 1,
};

const testRun: JsonObject = {
  type: "EVIDENCE_TYPE_TEST",
  command: "npm test",
  output: "12 passed",
  passed: true,
  exitCode: 0,
};

const modelUsage: JsonObject = {
  provider: "anthropic",
  model: "claude-sonnet",
  calls: 12,
  inputTokens: "120000",
  outputTokens: "8000",
  cacheReadTokens: "90000",
  cacheWriteTokens: "20000",
  reasoningTokens: "5000",
  costMicroUsd: "640000",
  costUnknown: true,
};
const modelFaults = [
  ["provider", "p".repeat(257), "string.max_len", "The name of a provider is too long."],
  ["model", "", "string.min_len", "A model without a name."],
  ["model", "m".repeat(257), "string.max_len", "The name of a model is too long."],
  ["calls", -1, "int32.gte", "Fewer than no calls were made."],
  ["inputTokens", "-1", "int64.gte", "The model read fewer than no tokens."],
  ["outputTokens", "-1", "int64.gte", "The model wrote fewer than no tokens."],
  ["cacheReadTokens", "-1", "int64.gte", "The model read fewer than no tokens from a cache."],
  ["cacheWriteTokens", "-1", "int64.gte", "The model wrote fewer than no tokens to a cache."],
  ["reasoningTokens", "-1", "int64.gte", "The model reasoned in fewer than no tokens."],
  ["costMicroUsd", "-1", "int64.gte", "The model earned money."],
] as const;
const models = (count: number, change: JsonObject = {}) =>
  Array.from({ length: count }, (_, index) => ({ model: `model-${index}`, ...change }));

export const fullResult = patch(minimalResult, {
  status: {
    outcome: "OUTCOME_PARTIAL",
    confidence: "CONFIDENCE_UNCERTAIN",
    summary: "Attempts are limited; the e-mail to the owner is missing",
    failureCode: "MAIL_NOT_SENT",
    failureReason: "There is no mail server in the sandbox",
  },
  evidence: { items: { items: [testRun] } },
  timing: { startedAt, finishedAt, duration: "2550.250s" },
  artifacts: [
    {
      path: "src/login-limit.ts",
      action: "ARTIFACT_ACTION_CREATED",
      digest: "sha256:5891b5b522d5df086d0ff0b110fb",
    },
  ],
  blockers: [
    {
      description: "No mail server",
      blockerType: "BLOCKER_TYPE_DEPENDENCY_MISSING",
      suggestedResolution: "Start one beside the sandbox",
    },
  ],
  context_out: contextOut,
  attempt_number: 2,
  usage: {
    inputTokens: "120000",
    outputTokens: "8000",
    costMicroUsd: "640000",
    steps: 31,
    cacheReadTokens: "90000",
    cacheWriteTokens: "20000",
    reasoningTokens: "5000",
    costUnknown: true,
    models: [modelUsage],
  },
  response: {
    thought: "The limit works",
    status: "RESPONSE_STATUS_SUCCESS",
    data: { files: 3 },
    message: "Done",
    nextStepHint: "review",
  },
  budget_needed: { maxTokens: "40000", maxCostMicroUsd: "200000", maxSteps: 3 },
  approval_needed: { callId: "9f01", tool: "send_mail", arguments: { to: "ada@example.com" } },
  commit_sha: "9fceb02d0ae598e95dc970b74767f19372d61af8",
  notices: ["the agent ran without a sandbox: its pack says sandbox: off"],
});

const evidence = (item: JsonObject) => patch(minimalResult, { evidence: { items: { items: [item] } } });

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

export const resultCases: readonly Case[] = [
  valid("agent-result-minimal", "AgentResult", "The smallest result that the rules accept.", minimalResult),
  valid("agent-result-full", "AgentResult", "A result in which every field is set.", fullResult),
  valid(
    "agent-result-hollow",
    "AgentResult",
    "Sub-messages that are there but empty.",
    patch(minimalResult, {
      timing: { startedAt: epoch, finishedAt: epoch, duration: "0s" },
      context_out: { decisionsMade: [{ decidedAt: epoch }] },
      usage: {},
      budget_needed: {},
      response: { status: "RESPONSE_STATUS_SUCCESS", data: {} },
    }),
  ),
  valid(
    "agent-result-hollow-timing",
    "AgentResult",
    "A timing without times, and a context with nothing to hand on.",
    patch(minimalResult, { timing: {}, context_out: {} }),
  ),
  valid(
    "agent-result-most-models",
    "AgentResult",
    "As many models as a result may name, with names of the greatest length.",
    patch(minimalResult, {
      usage: { models: models(64, { provider: "p".repeat(256), model: "m".repeat(256) }) },
    }),
  ),
  valid(
    "agent-result-models-without-numbers",
    "AgentResult",
    "A model of which nothing but its name is known.",
    patch(minimalResult, { usage: { models: models(1) } }),
  ),
  valid(
    "agent-result-never-finished",
    "AgentResult",
    "A start without an end: the order of the two cannot be wrong.",
    patch(minimalResult, { timing: { startedAt } }),
  ),
  valid(
    "agent-result-instantaneous",
    "AgentResult",
    "Start and end may be the same instant.",
    patch(minimalResult, { timing: { startedAt, finishedAt: startedAt } }),
  ),
  ...["SUCCESS", "PARTIAL", "RETRYABLE_FAILURE", "NON_RETRYABLE_FAILURE", "POLICY_BLOCKED"].map((outcome) =>
    valid(
      `agent-result-outcome-${outcome.toLowerCase().replaceAll("_", "-")}`,
      "AgentResult",
      `Outcome ${outcome} by its name.`,
      patch(minimalResult, { "status.outcome": `OUTCOME_${outcome}` }),
    ),
  ),
  ...["CONFIDENT", "UNCERTAIN", "BLOCKED"].map((confidence) =>
    valid(
      `agent-result-confidence-${confidence.toLowerCase()}`,
      "AgentResult",
      `Confidence ${confidence} by its name.`,
      patch(minimalResult, { "status.confidence": `CONFIDENCE_${confidence}` }),
    ),
  ),
  ...["SUCCESS", "FAILURE", "CLARIFICATION_NEEDED", "COMPLETED", "RETRY_WITH_INSTRUCTION"].map((status) =>
    valid(
      `agent-result-response-${status.toLowerCase().replaceAll("_", "-")}`,
      "AgentResult",
      `A structured answer with status ${status}.`,
      patch(minimalResult, { response: { status: `RESPONSE_STATUS_${status}` } }),
    ),
  ),
  valid(
    "agent-result-every-evidence-type",
    "AgentResult",
    "Evidence of every type, some of it against the agent.",
    patch(minimalResult, {
      evidence: {
        items: {
          items: ["UNSPECIFIED", "TEST", "LINT", "TYPECHECK", "BUILD", "SECURITY", "MANUAL"].map(
            (type, index) => ({
              type: `EVIDENCE_TYPE_${type}`,
              passed: index % 2 === 0,
            }),
          ),
        },
      },
    }),
  ),
  valid(
    "agent-result-every-artifact-action",
    "AgentResult",
    "Artifacts with every action.",
    patch(minimalResult, {
      artifacts: ["UNSPECIFIED", "CREATED", "MODIFIED", "DELETED"].map((action) => ({
        path: `src/${action.toLowerCase()}.ts`,
        action: `ARTIFACT_ACTION_${action}`,
      })),
    }),
  ),
  valid(
    "agent-result-every-blocker-type",
    "AgentResult",
    "Blockers of every type.",
    patch(minimalResult, {
      blockers: [
        "UNSPECIFIED",
        "AMBIGUOUS_REQUIREMENT",
        "DEPENDENCY_MISSING",
        "TOOL_FAILURE",
        "PERMISSION_DENIED",
        "TIMEOUT",
      ].map((type) => ({ description: "It does not work", blockerType: `BLOCKER_TYPE_${type}` })),
    }),
  ),
  valid(
    "agent-result-exit-code-zero",
    "AgentResult",
    "An exit code of zero is a statement: it travels although zero is the default.",
    evidence({ command: "npm test", exitCode: 0 }),
  ),
  valid(
    "agent-result-exit-code-absent",
    "AgentResult",
    "No exit code: nothing was run to the end.",
    evidence({ command: "npm test" }),
  ),
  valid(
    "agent-result-exit-code-negative",
    "AgentResult",
    "An exit code below zero takes ten bytes on the wire.",
    evidence({ command: "npm test", exitCode: -1 }),
  ),
  ...breaks("AgentResult", minimalResult, [
    ["protocol_version", absent, "required", "A result does not say which versions it was written under."],
    ["status", absent, "required", "A result that does not say how the task ended."],
    ["status.outcome", 6, "enum.defined_only", "An outcome that nobody knows."],
    [
      "status.confidence",
      -1,
      "enum.defined_only",
      "A confidence that nobody knows; numbers of enums may be negative.",
    ],
    ["trace", absent, "required", "A result outside any trace."],
    ["evidence", absent, "required", "No evidence and no reason for having none."],
    [
      "evidence",
      {},
      "required",
      "Evidence that is neither items nor a reason.",
      { at: "evidence.evidence_payload" },
    ],
    ["evidence.none_with_reason", "", "string.min_len", "An empty reason is no reason."],
    [
      "evidence",
      { items: { items: [] } },
      "repeated.min_items",
      "A list of evidence without evidence.",
      { at: "evidence.items.items" },
    ],
    [
      "timing",
      { startedAt: finishedAt, finishedAt: startedAt },
      "result_timing.starts_before_it_finishes",
      "Work that ended before it began.",
    ],
    [
      "timing",
      { startedAt: "2026-03-14T09:00:00.000000001Z", finishedAt: startedAt },
      "result_timing.starts_before_it_finishes",
      "One nanosecond is enough to end before the beginning.",
      { suffix: "by-a-nanosecond" },
    ],
    ["task_id", "", "string.min_len", "A result of no task."],
    ["dispatch_id", "", "string.min_len", "A result of no attempt."],
    ["attempt_number", 0, "int32.gte", "Attempts are counted from one."],
    ["usage.input_tokens", "-1", "int64.gte", "Fewer than no tokens were read."],
    [
      "usage.input_tokens",
      "-9223372036854775808",
      "int64.gte",
      "The smallest number of 64 bits: it has no positive twin.",
      { suffix: "smallest" },
    ],
    ["usage.output_tokens", "-1", "int64.gte", "Fewer than no tokens were written."],
    ["usage.cost_micro_usd", "-1", "int64.gte", "The work earned money."],
    ["usage.steps", -1, "int32.gte", "Fewer than no steps were taken."],
    ["usage.cache_read_tokens", "-1", "int64.gte", "Fewer than no tokens came from a cache."],
    ["usage.cache_write_tokens", "-1", "int64.gte", "Fewer than no tokens went into a cache."],
    ["usage.reasoning_tokens", "-1", "int64.gte", "Fewer than no tokens were reasoning."],
    ["budget_needed.max_tokens", "-1", "int64.gte", "Another attempt needs fewer than no tokens."],
    ["budget_needed.max_cost_micro_usd", "-1", "int64.gte", "Another attempt earns money."],
    ["budget_needed.max_steps", -1, "int32.gte", "Another attempt needs fewer than no steps."],
    ["usage.models", models(65), "repeated.max_items", "More models than a result may name."],
    ...modelFaults.map(
      ([field, value, rule, why]) =>
        [
          "usage.models",
          models(1, { [field]: value }),
          rule,
          why,
          { at: `usage.models[0].${snake(field)}` },
        ] as const,
    ),
    ["response.status", "RESPONSE_STATUS_UNSPECIFIED", "enum.not_in", "An answer that cannot be routed."],
    ["response.status", 6, "enum.defined_only", "An answer that wants to be routed in a way nobody knows."],
  ]),
  ...hollow("AgentResult", minimalResult, [
    ["protocol_version", missing.protocolVersion],
    ["trace", missing.traceContext],
    ["response", missing.structuredResponse],
    ["approval_needed", missing.toolProposal],
  ]),
];
