/** TaskEnvelope and everything it holds. */
import type { JsonObject } from "@bufbuild/protobuf";
import { breaks, type Case, hollow, valid } from "../case.ts";
import { missing } from "../missing.ts";
import { deadline, deadlineMs, ofLength } from "../parts.ts";
import { absent, patch } from "../patch.ts";
import { fullEnvelope, hollowEnvelope, minimalEnvelope } from "./envelope.ts";

const routed = (selectedPackId: string): JsonObject => ({ selectedPackId, candidatePackIds: ["generalist"] });

export const taskCases: readonly Case[] = [
  valid(
    "task-envelope-minimal",
    "TaskEnvelope",
    "The smallest envelope that the rules accept.",
    minimalEnvelope,
  ),
  valid("task-envelope-full", "TaskEnvelope", "An envelope in which every field is set.", fullEnvelope),
  valid(
    "task-envelope-hollow",
    "TaskEnvelope",
    "Sub-messages that are there but empty: two bytes each on the wire, `{}` in JSON, and not the same as absent.",
    hollowEnvelope,
  ),
  valid(
    "task-envelope-hollow-context-in",
    "TaskEnvelope",
    "A context that is present but empty states that there is none.",
    patch(minimalEnvelope, { context_in: {} }),
  ),
  valid(
    "task-envelope-every-ref-type",
    "TaskEnvelope",
    "References of every type; the type may also be left unstated.",
    patch(minimalEnvelope, {
      refs: ["UNSPECIFIED", "FILE", "COMMIT", "DB_RECORD", "URL", "ARTIFACT"].map((type) => ({
        uriOrLocator: `locator-of-${type.toLowerCase()}`,
        refType: `REF_TYPE_${type}`,
      })),
    }),
  ),
  ...["LOW", "NORMAL", "HIGH", "CRITICAL"].map((priority) =>
    valid(
      `task-envelope-priority-${priority.toLowerCase()}`,
      "TaskEnvelope",
      `Priority ${priority} by its name.`,
      patch(minimalEnvelope, { "execution.priority": `PRIORITY_${priority}` }),
    ),
  ),
  ...["LOW", "NORMAL", "CRITICAL"].map((tier) =>
    valid(
      `task-envelope-risk-tier-${tier.toLowerCase()}`,
      "TaskEnvelope",
      `Risk tier ${tier} by its name.`,
      patch(minimalEnvelope, { "execution.risk_tier": `RISK_TIER_${tier}` }),
    ),
  ),
  valid(
    "task-envelope-budget-of-zero",
    "TaskEnvelope",
    "Zero is a budget that forbids any spending, so it travels; an absent one is no limit.",
    patch(minimalEnvelope, { "execution.budget": { maxTokens: "0", maxCostMicroUsd: "0", maxSteps: 0 } }),
  ),
  valid(
    "task-envelope-deadline-ahead",
    "TaskEnvelope",
    "A deadline one millisecond after the moment at which the envelope is checked.",
    patch(minimalEnvelope, { "execution.deadline": deadline }),
    { nowMs: deadlineMs - 1 },
  ),
  valid(
    "task-envelope-deadline-in-the-record",
    "TaskEnvelope",
    "A deadline long past is valid when no moment is given: a record stays valid.",
    patch(minimalEnvelope, { "execution.deadline": "2001-01-01T00:00:00Z" }),
  ),
  valid(
    "task-envelope-routing-without-choice",
    "TaskEnvelope",
    "Nothing is selected yet, so the selected pack need not be a candidate.",
    patch(minimalEnvelope, { routing: { candidatePackIds: ["generalist"] } }),
  ),
  ...breaks("TaskEnvelope", minimalEnvelope, [
    ["protocol_version", absent, "required", "An envelope does not say which versions it was written under."],
    [
      "protocol_version.schema_version",
      "",
      "string.min_len",
      "A version without a schema version says nothing.",
    ],
    ["contract", absent, "required", "An envelope without a contract asks for nothing."],
    ["contract.task_id", "", "string.min_len", "A task without an id cannot be matched with its result."],
    ["contract.title", "", "string.min_len", "A task needs a title."],
    [
      "contract.acceptance_criteria",
      [],
      "repeated.min_items",
      "Without acceptance criteria nothing can be judged.",
    ],
    ["trace", absent, "required", "An envelope outside any trace cannot be followed."],
    ["trace.trace_id", "", "string.min_len", "A trace without its id."],
    ["trace.span_id", "", "string.min_len", "A trace without the span the message was sent from."],
    ["trace.tenant_id", "", "string.min_len", "Work that belongs to no tenant."],
    ["safety", absent, "required", "Limits must be stated, even if the statement is an empty one."],
    ["refs", [], "repeated.min_items", "A task refers to at least one thing."],
    ["refs[0].uri_or_locator", "", "string.min_len", "A reference that points nowhere."],
    ["execution", absent, "required", "An envelope that does not say how the attempt is run."],
    [
      "execution.idempotency_key",
      "",
      "string.min_len",
      "An attempt that cannot be recognised when it comes twice.",
    ],
    ["execution.dispatch_id", "", "string.min_len", "An attempt without an id."],
    ["execution.attempt_number", 0, "int32.gte", "Attempts are counted from one."],
    ["execution.attempt_number", -1, "int32.gte", "An attempt before the first.", { suffix: "negative" }],
    ["execution.priority", 99, "enum.defined_only", "A priority that nobody knows."],
    ["execution.risk_tier", 4, "enum.defined_only", "A risk tier that nobody knows."],
    [
      "execution.budget",
      { maxTokens: "-1" },
      "int64.gte",
      "A budget of tokens below zero.",
      at("max_tokens"),
    ],
    [
      "execution.budget",
      { maxCostMicroUsd: "-1" },
      "int64.gte",
      "A budget of money below zero.",
      at("max_cost_micro_usd"),
    ],
    ["execution.budget", { maxSteps: -1 }, "int32.gte", "A budget of steps below zero.", at("max_steps")],
    [
      "routing",
      routed("senior-ts-dev"),
      "routing.selected_is_candidate",
      "The selected pack is not among the candidates.",
    ],
    [
      "routing.selected_pack_id",
      "generalist",
      "routing.selected_is_candidate",
      "A pack is selected from no candidates at all.",
      { at: "routing", suffix: "without-candidates" },
    ],
    ["review_feedback.rejected_attempt", 0, "int32.gte", "Feedback on an attempt that never was."],
    [
      "review_feedback",
      { rejectedAttempt: 1, failedChecks: [{ reason: "One test fails" }] },
      "string.min_len",
      "A failed check without a name.",
      { at: "review_feedback.failed_checks[0].check_name" },
    ],
    [
      "workspace",
      { branch: "main" },
      "string.min_len",
      "A workspace without a repository.",
      { at: "workspace.repository" },
    ],
    ["lessons", Array.from({ length: 4 }, () => ({ text: "a" })), "repeated.max_items", "Too many lessons."],
    [
      "lessons",
      [{ text: ofLength(8_193) }],
      "string.max_len",
      "A lesson that is too long.",
      { at: "lessons[0].text" },
    ],
    [
      "clarifications",
      [{ answer: "Per minute" }],
      "string.min_len",
      "An answer without a question.",
      { at: "clarifications[0].question" },
    ],
    [
      "execution.deadline",
      deadline,
      "deadline.after_now",
      "The deadline is this very moment: too late.",
      { nowMs: deadlineMs },
    ],
    [
      "execution.deadline",
      "0001-01-01T00:00:00Z",
      "deadline.after_now",
      "The deadline is as long past as can be said.",
      { nowMs: deadlineMs, suffix: "long-past" },
    ],
  ]),
  ...hollow("TaskEnvelope", minimalEnvelope, [
    ["protocol_version", missing.protocolVersion],
    ["contract", missing.contract],
    ["trace", missing.traceContext],
    ["execution", missing.execution],
    ["review_feedback", missing.reviewFeedback],
    ["workspace", missing.workspace],
    ["steps", missing.givenSteps],
  ]),
  {
    name: "task-envelope-empty",
    type: "TaskEnvelope",
    shows: "No bytes at all are a message too: it breaks every rule that demands something.",
    json: {},
    violations: Object.entries(missing.taskEnvelope).map(([field, rule]) => ({ field, rule })),
  },
  {
    name: "task-envelope-two-faults",
    type: "TaskEnvelope",
    shows:
      "Rules are checked all, not up to the first one that is broken; a list names the element at fault.",
    json: patch(minimalEnvelope, { refs: [{ uriOrLocator: "a" }, {}, { uriOrLocator: "b" }, {}] }),
    violations: [
      { field: "refs[1].uri_or_locator", rule: "string.min_len" },
      { field: "refs[3].uri_or_locator", rule: "string.min_len" },
    ],
  },
];

function at(field: string): { at: string } {
  return { at: `execution.budget.${field}` };
}
