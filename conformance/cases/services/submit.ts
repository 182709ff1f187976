/** SubmitTask of OrchestratorService. */
import type { JsonObject } from "@bufbuild/protobuf";
import { breaks, type Case, hollow, valid } from "../case.ts";
import { fullGovernance } from "../messages/governance.ts";
import { minimalPipeline } from "../messages/pipeline.ts";
import { missing } from "../missing.ts";
import { contract, deadline, deadlineMs, epoch } from "../parts.ts";
import { absent, patch } from "../patch.ts";

export const minimalSubmit: JsonObject = { idempotencyKey: "key-1", taskType: "implement", contract };

const byPipeline = patch(minimalSubmit, {
  task_type: absent,
  pipeline: { stages: [{ stageId: "implement" }] },
});

const replyTo = (count: number) =>
  Array.from({ length: count }, (_, place) => `https://receiver.example/${place + 1}`);

const fullSubmit = patch(minimalSubmit, {
  safety: { toolAllowlist: ["npm"] },
  refs: [{ uriOrLocator: "src/login.ts" }],
  priority: "PRIORITY_HIGH",
  risk_tier: "RISK_TIER_CRITICAL",
  context_level: "CONTEXT_LEVEL_RICH",
  deadline,
  context: { sharedContext: "The login service is written in TypeScript." },
  inputs: { limit: 5 },
  workspace: { repository: "https://git.example/acme/login" },
  budget: { maxTokens: "200000" },
  patch_size_limit: 400,
  max_retries: 4,
  failure_strategy: "FAILURE_STRATEGY_SKIP_FAILED",
  timeout: "900s",
  labels: [{ name: "team", value: "accounts" }],
  governance: fullGovernance,
  reply_to: replyTo(4),
  reply_progress: true,
  validate_only: true,
});

export const submitCases: readonly Case[] = [
  valid(
    "submit-task-request-by-task-type",
    "SubmitTaskRequest",
    "A task that is one stage of this type.",
    minimalSubmit,
  ),
  valid(
    "submit-task-request-by-template",
    "SubmitTaskRequest",
    "A task that is run by a template.",
    patch(minimalSubmit, { task_type: absent, template_id: "implement-and-review" }),
  ),
  valid(
    "submit-task-request-by-pipeline",
    "SubmitTaskRequest",
    "A task that brings its own stages.",
    patch(byPipeline, { "pipeline.name": "Just do it", "pipeline.policy": { serial: true } }),
  ),
  valid(
    "submit-task-request-full",
    "SubmitTaskRequest",
    "A request in which every field is set.",
    fullSubmit,
  ),
  valid(
    "submit-task-request-no-retries",
    "SubmitTaskRequest",
    "A task of which nothing is tried again: zero is there, and is not the default.",
    patch(minimalSubmit, { max_retries: 0 }),
  ),
  valid(
    "submit-task-request-hollow",
    "SubmitTaskRequest",
    "Sub-messages that are there but empty.",
    patch(byPipeline, {
      "pipeline.policy": {},
      safety: {},
      deadline: epoch,
      context: {},
      inputs: {},
      budget: {},
    }),
  ),
  valid(
    "submit-task-request-deadline-ahead",
    "SubmitTaskRequest",
    "A deadline one millisecond after the moment at which the request is checked.",
    patch(minimalSubmit, { deadline }),
    { nowMs: deadlineMs - 1 },
  ),
  valid("submit-task-response", "SubmitTaskResponse", "The task had been taken before.", {
    pipeline: minimalPipeline,
    existing: true,
  }),
  valid(
    "submit-task-response-empty",
    "SubmitTaskResponse",
    "What a request to validate only is answered with.",
    {},
  ),
  ...breaks("SubmitTaskRequest", minimalSubmit, [
    ["idempotency_key", "", "string.min_len", "A request that cannot be repeated safely."],
    ["task_type", absent, "required", "A request that does not say how the task is run.", { at: "plan" }],
    ["task_type", "", "string.min_len", "An arm is chosen, but empty."],
    ["contract", absent, "required", "A request for nothing."],
    ["reply_to", replyTo(5), "repeated.max_items", "Too many receivers of the result."],
    ["priority", 5, "enum.defined_only", "A priority that nobody knows."],
    ["risk_tier", 4, "enum.defined_only", "A risk tier that nobody knows."],
    ["context_level", 9, "enum.defined_only", "A context level that nobody knows."],
    ["failure_strategy", 9, "enum.defined_only", "A failure strategy that nobody knows."],
    ["timeout", "0s", "duration.gt", "An attempt that may take no time at all."],
    ["patch_size_limit", -1, "int32.gte", "A limit below zero."],
    ["max_retries", -1, "int32.gte_lte", "Fewer retries than none.", { suffix: "below" }],
    [
      "max_retries",
      100,
      "int32.gte_lte",
      "More retries than a stage may have attempts.",
      { suffix: "above" },
    ],
    ["budget.max_steps", -1, "int32.gte", "A budget of steps below zero."],
    [
      "deadline",
      deadline,
      "deadline.after_now",
      "The deadline is this very moment: too late.",
      { nowMs: deadlineMs },
    ],
  ]),
  ...breaks("SubmitTaskRequest", patch(minimalSubmit, { task_type: absent }), [
    ["template_id", "", "string.min_len", "An arm is chosen, but empty."],
  ]),
  ...breaks("SubmitTaskRequest", patch(byPipeline, { "pipeline.name": "Nothing to do" }), [
    ["pipeline.stages", [], "repeated.min_items", "A plan without stages."],
  ]),
  ...hollow("SubmitTaskRequest", minimalSubmit, [
    ["governance", missing.governance],
    ["contract", missing.contract],
    ["workspace", missing.workspace],
  ]),
  ...hollow("SubmitTaskRequest", patch(minimalSubmit, { task_type: absent }), [
    ["pipeline", missing.pipelinePlan],
  ]),
  ...hollow("SubmitTaskResponse", {}, [["pipeline", missing.pipeline]]),
];
