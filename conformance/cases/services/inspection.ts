/** The calls of InspectionService. */
import type { JsonObject } from "@bufbuild/protobuf";
import { breaks, type Case, hollow, valid } from "../case.ts";
import { dispatchSnapshot } from "../messages/audit.ts";
import { minimalEnvelope } from "../messages/envelope.ts";
import { fullPipelinePolicy } from "../messages/pipeline.ts";
import { minimalResult } from "../messages/result.ts";
import { minimalStep } from "../messages/step.ts";
import { minimalTurn } from "../messages/turn.ts";
import { missing } from "../missing.ts";
import { epoch, finishedAt, startedAt } from "../parts.ts";
import { absent } from "../patch.ts";

const summary: JsonObject = {
  dispatchId: "p-1/implement/1",
  stageId: "implement",
  attemptNumber: 1,
  packId: "senior-ts-dev",
  instanceId: "dev-1",
  sentAt: startedAt,
  receivedAt: finishedAt,
  reviewAt: finishedAt,
  endedAt: finishedAt,
  ending: "ATTEMPT_ENDING_REJECTED",
  reason: "accented letters get lost",
  outcome: "OUTCOME_SUCCESS",
  setAside: true,
};

const parts = ["ENVELOPE", "RESULT", "GATE", "DISPATCH"];
const leftOut = parts.map((part, place) => ({ part: `ATTEMPT_PART_${part}`, bytes: 5_000_000 + place }));

const turnRecord: JsonObject = {
  dispatchId: "p-1/implement/2",
  stageId: "implement",
  attemptNumber: 2,
  recordedAt: finishedAt,
  eventId: "8f14e45f-ceea-467f-9575-1a2b3c4d5e6f",
  turn: minimalTurn,
};

const endings = [
  ...["UNSPECIFIED", "ACCEPTED", "REJECTED", "RETRIED", "ANSWERED", "SENT_BACK", "FAILED", "CANCELLED"],
];

const route: JsonObject = {
  taskType: "code-review",
  allowedPackIds: ["code-reviewer", "security-reviewer"],
  preferredPackId: "code-reviewer",
  minRiskTier: "RISK_TIER_NORMAL",
  fallbackPackId: "senior-ts-dev",
};

const policy: JsonObject = {
  version: "1.0.0",
  routes: [route, { taskType: "verification" }],
  maxGlobalQueueDepth: 50,
  maxPerPackConcurrent: 3,
  breakerErrorThreshold: 5,
  breakerWindow: "60s",
  breakerHalfOpenAfter: "120s",
  fallbackPackId: "senior-ts-dev",
  maxCandidateAgents: 3,
  requireHealthy: true,
};

const fileDiff: JsonObject = {
  path: "test/slug.test.js",
  oldPath: "slug.test.js",
  action: "ARTIFACT_ACTION_MODIFIED",
  addedLines: 4_000,
  removedLines: 1,
  test: true,
  binary: true,
  oldMode: "100644",
  newMode: "100755",
  diff: "@@ -1 +1 @@\n-old\n+new\n",
  linesLeftOut: 3_999,
  hiddenCharacters: 2,
};

const stepRecord: JsonObject = {
  dispatchId: "p-1/implement/2",
  stageId: "implement",
  attemptNumber: 2,
  recordedAt: finishedAt,
  step: minimalStep,
  valueBytes: 120,
  withheld: { code: "BATON-AGENT-008", reason: "Too large", bytes: 5000000 },
};

export const inspectionCases: readonly Case[] = [
  valid("get-attempts-request", "GetAttemptsRequest", "The attempts of one stage.", {
    pipelineId: "p-1",
    stageId: "implement",
  }),
  valid("get-attempts-response", "GetAttemptsResponse", "Attempts that ended in every way, and waits.", {
    attempts: [
      summary,
      ...endings.map((ending, place) => ({
        dispatchId: `p-1/implement/${place + 2}`,
        ending: `ATTEMPT_ENDING_${ending}`,
        unchecked: true,
        checksUnknown: true,
      })),
    ],
    waits: [
      { stageId: "implement", from: startedAt, until: finishedAt, reason: "the next attempt" },
      { from: epoch, reason: "paused: lunch" },
    ],
  }),
  valid("get-attempts-response-at-zero", "GetAttemptsResponse", "Instants that are there, and zero.", {
    attempts: [
      { dispatchId: "p-1/implement/1", sentAt: epoch, receivedAt: epoch, reviewAt: epoch, endedAt: epoch },
    ],
    waits: [{ from: epoch, until: epoch }, {}],
  }),
  valid("get-attempts-response-empty", "GetAttemptsResponse", "Nothing was sent yet.", {}),
  valid("get-attempt-request", "GetAttemptRequest", "An attempt to read.", { dispatchId: "p-1/implement/1" }),
  valid("get-attempt-request-part", "GetAttemptRequest", "One part of an attempt to read.", {
    dispatchId: "p-1/implement/1",
    part: "ATTEMPT_PART_RESULT",
  }),
  valid("get-attempt-response-left-out", "GetAttemptResponse", "An attempt too large for one answer.", {
    leftOut: [...leftOut, {}],
  }),
  valid("get-attempt-response", "GetAttemptResponse", "An attempt with all that was sent and came back.", {
    summary,
    envelope: minimalEnvelope,
    result: minimalResult,
    gate: { passed: true, tier: "low" },
    dispatch: dispatchSnapshot,
    explanation: "went to dev-1",
    disregarded: ["of an earlier attempt"],
  }),
  valid("get-attempt-response-undecided", "GetAttemptResponse", "Snapshots that are there, and empty.", {
    gate: {},
    dispatch: {},
  }),
  valid("get-attempt-response-empty", "GetAttemptResponse", "There is no such attempt.", {}),
  valid(
    "get-attempt-changes-request",
    "GetAttemptChangesRequest",
    "An attempt whose changes are asked for.",
    {
      dispatchId: "p-1/implement/1",
    },
  ),
  valid("get-attempt-changes-response", "GetAttemptChangesResponse", "A patch between two commits.", {
    patch: "diff --git a/slug.js b/slug.js\n",
    truncated: true,
    reason: "it is large",
    baseCommit: "1111111111111111111111111111111111111111",
    commit: "2222222222222222222222222222222222222222",
  }),
  valid("get-attempt-changes-response-empty", "GetAttemptChangesResponse", "Nothing was changed.", {}),
  valid("get-pipeline-changes-request", "GetPipelineChangesRequest", "The attempt under review.", {
    dispatchId: "p-1/review/1",
  }),
  valid("get-pipeline-changes-response", "GetPipelineChangesResponse", "A change that is not whole.", {
    baseCommit: "1111111111111111111111111111111111111111",
    commit: "2222222222222222222222222222222222222222",
    repository: "/srv/shop",
    files: [fileDiff, {}],
    size: { files: 512, addedLines: 90_000, removedLines: 7 },
    filesLeftOut: 12,
    linesLeftOut: 80_000,
  }),
  valid("get-pipeline-changes-response-size", "GetPipelineChangesResponse", "Nothing differs.", { size: {} }),
  valid("get-pipeline-changes-response-reason", "GetPipelineChangesResponse", "It cannot be shown.", {
    reason: "the run has no repository",
  }),
  valid("get-pipeline-changes-response-empty", "GetPipelineChangesResponse", "Nothing is known.", {}),
  valid("get-templates-request", "GetTemplatesRequest", "All templates.", {}),
  valid("get-templates-response", "GetTemplatesResponse", "Templates as they are loaded.", {
    templates: [
      {
        templateId: "implement-and-review",
        name: "Standard implementation",
        description: "Implement a feature, review the code",
        stages: [{ stageId: "implement", taskType: "feature-implementation" }],
        policy: fullPipelinePolicy,
      },
      { templateId: "small" },
      { templateId: "without-limits", policy: {} },
      { templateId: "letter", workflow: true, endStages: ["send", "keep"] },
    ],
  }),
  valid("get-routing-policy-request", "GetRoutingPolicyRequest", "The policy in force.", {}),
  valid("get-routing-policy-response", "GetRoutingPolicyResponse", "A policy that people wrote.", {
    policy,
    open: true,
  }),
  valid("get-routing-policy-response-empty", "GetRoutingPolicyResponse", "A policy without any route.", {
    policy: {},
  }),
  valid("get-routing-policy-response-absent", "GetRoutingPolicyResponse", "Nobody wrote a policy.", {
    open: true,
  }),
  valid(
    "get-routing-policy-response-at-zero",
    "GetRoutingPolicyResponse",
    "Durations that are there, and zero.",
    {
      policy: { breakerWindow: "0s", breakerHalfOpenAfter: "0s" },
    },
  ),
  valid(
    "compare-routing-request-largest",
    "CompareRoutingRequest",
    "A route with as many packs as it may name.",
    {
      route: {
        taskType: "code-review",
        allowedPackIds: Array.from({ length: 100 }, (_, place) => `pack-${place}`),
      },
    },
  ),
  valid("compare-routing-request", "CompareRoutingRequest", "Another route for one type of task.", {
    route,
    pipelines: 100,
  }),
  valid("compare-routing-response", "CompareRoutingResponse", "What would have gone elsewhere, or nowhere.", {
    dispatchesSeen: 12,
    pipelinesLookedAt: 40,
    differences: [
      {
        dispatchId: "p-1/review/1",
        taskType: "code-review",
        wasPackId: "code-reviewer",
        wasInstanceId: "reviewer-1",
        wouldBePackId: "security-reviewer",
        wouldBeInstanceId: "security-1",
      },
      { dispatchId: "p-2/review/1", refused: "no agent may take it" },
    ],
  }),
  valid("compare-routing-response-empty", "CompareRoutingResponse", "Nothing to compare with.", {}),
  valid("get-turns-request", "GetTurnsRequest", "A page of the turns of one attempt.", {
    pipelineId: "p-1",
    stageId: "implement",
    attemptNumber: 2,
    pageSize: 100,
    pageToken: "WyJwLTEvaW1wbGVtZW50LzIiLDQxXQ",
  }),
  valid("get-turns-request-token", "GetTurnsRequest", "The longest token there may be.", {
    pipelineId: "p-1",
    pageToken: "x".repeat(1024),
  }),
  valid("get-turns-response", "GetTurnsResponse", "Turns, and one that is missing between them.", {
    turns: [turnRecord, { turn: minimalTurn }, { recordedAt: epoch, turn: minimalTurn }],
    gaps: [{ dispatchId: "p-1/implement/2", firstIndex: 1, lastIndex: 2 }, {}],
    nextPageToken: "WyJwLTEvaW1wbGVtZW50LzIiLDQxXQ",
  }),
  valid("get-turns-response-withheld", "GetTurnsResponse", "Turns that are not shown whole.", {
    turns: [
      { turn: minimalTurn, withheld: { code: "BATON-AGENT-008", reason: "Too large", bytes: 5000000 } },
      { turn: minimalTurn, withheld: {} },
    ],
  }),
  valid("get-turns-response-empty", "GetTurnsResponse", "No turns yet.", {}),
  valid("get-steps-request", "GetStepsRequest", "A page of the steps of one attempt, with values.", {
    pipelineId: "p-1",
    stageId: "implement",
    attemptNumber: 2,
    pageSize: 100,
    pageToken: "WyJwLTEvaW1wbGVtZW50LzIiLDQxXQ",
    withValues: true,
  }),
  valid("get-steps-request-token", "GetStepsRequest", "The longest token there may be.", {
    pipelineId: "p-1",
    pageToken: "x".repeat(1024),
  }),
  valid("get-steps-response", "GetStepsResponse", "A step with every field, and the least of one.", {
    steps: [stepRecord, { step: minimalStep, recordedAt: epoch, withheld: {} }, { step: minimalStep }],
    nextPageToken: "WyJwLTEvaW1wbGVtZW50LzIiLDQxXQ",
  }),
  valid("get-steps-response-empty", "GetStepsResponse", "Nothing was done yet.", {}),
  ...breaks("GetStepsRequest", { pipelineId: "p-1" }, [
    ["pipeline_id", "", "string.min_len", "No pipeline is named."],
    ["attempt_number", -1, "int32.gte", "An attempt before the first."],
    ["page_size", -1, "int32.gte", "A page of fewer than no steps."],
    ["page_token", "x".repeat(1025), "string.max_len", "A token that no list gave."],
  ]),
  ...hollow("GetStepsResponse", { steps: [stepRecord] }, [["steps[0].step", missing.step]]),
  ...breaks("GetStepsResponse", { steps: [stepRecord] }, [
    ["steps[0].attempt_number", -1, "int32.gte", "An attempt before the first."],
    ["steps[0].step", absent, "required", "A record of no step."],
    ["steps[0].value_bytes", -1, "int32.gte", "A value of fewer than no bytes."],
  ]),
  ...breaks("GetTurnsRequest", { pipelineId: "p-1" }, [
    ["pipeline_id", "", "string.min_len", "No pipeline is named."],
    ["attempt_number", -1, "int32.gte", "An attempt before the first."],
    ["page_size", -1, "int32.gte", "A page of fewer than no turns."],
    ["page_token", "x".repeat(1025), "string.max_len", "A token that no list gave."],
  ]),
  ...hollow("GetTurnsResponse", { turns: [turnRecord] }, [["turns[0].turn", missing.turnEnvelope]]),
  ...breaks("GetTurnsResponse", { turns: [turnRecord], gaps: [{}] }, [
    ["turns[0].attempt_number", -1, "int32.gte", "An attempt before the first."],
    ["turns[0].turn", absent, "required", "A record without its turn."],
    ["turns[0].withheld.bytes", -1, "int32.gte", "Fewer than no bytes are withheld."],
    ["gaps[0].first_index", -1, "int32.gte", "A gap before the first turn."],
    ["gaps[0].last_index", -1, "int32.gte", "A gap that ends before the first turn."],
  ]),
  ...breaks("GetAttemptsRequest", {}, [["pipeline_id", "", "string.min_len", "No pipeline is named."]]),
  ...breaks("GetAttemptsResponse", { attempts: [summary] }, [
    ["attempts[0].dispatch_id", "", "string.min_len", "An attempt without a name."],
    ["attempts[0].attempt_number", -1, "int32.gte", "An attempt before the first."],
    ["attempts[0].ending", 99, "enum.defined_only", "An ending that is none."],
    ["attempts[0].outcome", 99, "enum.defined_only", "An outcome that is none."],
  ]),
  ...breaks("GetAttemptChangesRequest", {}, [["dispatch_id", "", "string.min_len", "No attempt is named."]]),
  ...breaks("GetPipelineChangesRequest", {}, [["dispatch_id", "", "string.min_len", "No attempt is named."]]),
  ...breaks("GetPipelineChangesResponse", { files: [fileDiff], size: {} }, [
    ["files[0].action", 99, "enum.defined_only", "An action that is none."],
    ["files[0].added_lines", -1, "int32.gte", "Fewer than no lines were added."],
    ["files[0].removed_lines", -1, "int32.gte", "Fewer than no lines were removed."],
    ["files[0].lines_left_out", -1, "int32.gte", "Fewer than no lines are left out."],
    ["files[0].hidden_characters", -1, "int32.gte", "Fewer than no characters are hidden."],
    ["size.files", -1, "int32.gte", "Fewer than no files were changed."],
    ["size.added_lines", -1, "int32.gte", "Fewer than no lines were added."],
    ["size.removed_lines", -1, "int32.gte", "Fewer than no lines were removed."],
    ["files_left_out", -1, "int32.gte", "Fewer than no files are left out."],
    ["lines_left_out", -1, "int32.gte", "Fewer than no lines are left out."],
  ]),
  ...breaks("GetAttemptRequest", {}, [["dispatch_id", "", "string.min_len", "No attempt is named."]]),
  ...breaks("GetAttemptRequest", { dispatchId: "p-1/implement/1" }, [
    ["part", 99, "enum.defined_only", "A part that is none."],
  ]),
  ...breaks("GetAttemptResponse", { leftOut }, [
    ["left_out[0].part", 99, "enum.defined_only", "A part that is none."],
    ["left_out[0].bytes", -1, "int32.gte", "Fewer than no bytes were left out."],
  ]),
  ...breaks("GetTemplatesResponse", { templates: [{ templateId: "small" }] }, [
    ["templates[0].template_id", "", "string.min_len", "A template without a name."],
  ]),
  ...breaks("GetRoutingPolicyResponse", { policy }, [
    ["policy.max_global_queue_depth", -1, "int32.gte", "Fewer than no tasks may wait."],
    ["policy.max_per_pack_concurrent", -1, "int32.gte", "Fewer than no attempts at once."],
    ["policy.breaker_error_threshold", -1, "int32.gte", "A breaker that opens before any failure."],
    ["policy.max_candidate_agents", -1, "int32.gte", "Fewer than no candidates."],
    ["policy.routes[0].task_type", "", "string.min_len", "A route for no type of task."],
    ["policy.routes[0].min_risk_tier", 99, "enum.defined_only", "A tier that is none."],
  ]),
  ...breaks("CompareRoutingRequest", { route }, [
    ["route", absent, "required", "No other route is given."],
    [
      "route.allowed_pack_ids",
      Array.from({ length: 101 }, (_, place) => `pack-${place}`),
      "repeated.max_items",
      "More packs than a route may name.",
    ],
    ["pipelines", -1, "int32.gte", "Fewer than no pipelines are looked at."],
  ]),
  ...breaks("CompareRoutingResponse", {}, [
    ["dispatches_seen", -1, "int32.gte", "Fewer than none were seen."],
    ["pipelines_looked_at", -1, "int32.gte", "Fewer than none were looked at."],
  ]),
  ...hollow("GetAttemptResponse", {}, [
    ["summary", missing.attemptSummary],
    ["envelope", missing.taskEnvelope],
    ["result", missing.agentResult],
  ]),
  ...hollow("CompareRoutingRequest", {}, [["route", missing.routeView]]),
];
