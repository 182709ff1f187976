/** AuditEntry and its snapshots. */
import type { JsonObject } from "@bufbuild/protobuf";
import { breaks, type Case, hollow, valid } from "../case.ts";
import { missing } from "../missing.ts";
import {
  checkClaim,
  checkRun,
  deadline,
  epoch,
  finishedAt,
  guardrailVerdicts,
  hash,
  startedAt,
} from "../parts.ts";
import { patch } from "../patch.ts";
import { fullAlignment } from "./governance.ts";
import { fullPipelinePolicy, pipelineSummary } from "./pipeline.ts";

/** Nothing but what the rules demand. */
export const minimalEntry: JsonObject = { auditId: "audit-1" };

export const dispatchSnapshot: JsonObject = {
  selectedPackId: "senior-ts-dev",
  candidatePackIds: ["senior-ts-dev", "generalist"],
  routingPolicyVersion: "policy-7",
  rejectionReasons: "generalist: ranked second",
  contextLevelApplied: "CONTEXT_LEVEL_RICH",
  attemptNumber: 1,
  refFreshness: [
    { uriOrLocator: "src/login.ts", wasStale: true, refreshSucceeded: true, dispatchedWithDegraded: true },
  ],
  candidates: [
    { packId: "senior-ts-dev", instanceId: "senior-ts-dev-1", eligible: true, rank: 1, reason: "Least busy" },
  ],
  selectedInstanceId: "senior-ts-dev-1",
  usedFallback: true,
  omittedContext: ["critical_snippets[3]"],
  baseCommit: "9fceb02d0ae598e95dc970b74767f19372d61af8",
  definition: [{ part: "prompt", digest: `sha256:${"9f".repeat(32)}` }],
};

const resultSnapshot: JsonObject = {
  outcome: "OUTCOME_SUCCESS",
  confidence: "CONFIDENCE_CONFIDENT",
  failureCode: "MAIL_NOT_SENT",
  artifactsCount: 1,
  evidenceCount: 2,
  blockersCount: 3,
  timing: { startedAt, finishedAt },
  validationPassed: true,
  validationError: "evidence is required",
  schemaVersionReceived: "1.1.0",
  schemaVersionExpected: "1.0.0",
  consecutiveInvalidResults: 1,
  usage: { steps: 31 },
  rawText: "I think it works now.",
  notices: ["the agent ran without a sandbox: its pack says sandbox: off"],
  response: {
    thought: "Two of three guesses bounced.",
    status: "RESPONSE_STATUS_SUCCESS",
    dataJson: '{"valid_email":"jdoe@acme.com"}',
    message: "The valid email is jdoe@acme.com",
    nextStepHint: "write to it",
    dataLeftOutChars: 70_000,
  },
};

const gateSnapshot: JsonObject = {
  checks: ["UNSPECIFIED", "PASSED", "FAILED", "NOT_APPLICABLE"].map((status) => ({
    gateName: "tests",
    passed: status !== "FAILED",
    evidence: "12 passed",
    status: `GATE_CHECK_STATUS_${status}`,
    claim: checkClaim,
    run: checkRun,
    disproved: true,
  })),
  tier: "RISK_TIER_CRITICAL",
  passed: true,
  rejectReason: "One test fails",
  rewindTargetStage: "implement",
  attemptsRemaining: 2,
  reviewer: { type: "ACTOR_TYPE_HUMAN", id: "ada" },
  commit: "9fceb02d0ae598e95dc970b74767f19372d61af8",
};

export const escalationSnapshot: JsonObject = {
  problem: "No agent may take the task",
  impact: "The pipeline waits",
  options: ["Start an agent", "Abort"],
  recommended: "Start an agent",
  blocking: true,
  resolution: "Start an agent",
  resolvedBy: "ada",
  admission: { breakerState: "open", breakerScope: "implement", queueDepth: 12, maxQueueDepth: 100 },
  change: { files: 3, addedLines: 120, removedLines: 7 },
  notices: ["the repository configures hooks in .claude/settings.json (Stop); they were not loaded"],
};

const snapshots: Readonly<Record<string, JsonObject>> = {
  dispatch: dispatchSnapshot,
  result: resultSnapshot,
  gate: gateSnapshot,
  escalation: escalationSnapshot,
  pipeline: {
    templateId: "implement-and-review",
    stageCount: 3,
    policy: fullPipelinePolicy,
    summary: pipelineSummary,
    rewoundFrom: "17",
    rewoundTo: "4",
    discarded: ["two files of baton/p-1/implement/1"],
    origin: { pipelineId: "p-0", stageId: "implement", revision: "12" },
  },
  timeout: { duration: "1800s", deadline, cancelSignalSent: true },
  guardrails: { verdicts: [...guardrailVerdicts], blocked: true },
  alignment: fullAlignment,
  agent: { instanceId: "senior-ts-dev-1", consecutiveFailures: 3, lastError: "evidence did not hold" },
};

const fullEntry = patch(minimalEntry, {
  event_type: "AUDIT_EVENT_TYPE_DISPATCH_DECISION",
  timestamp: finishedAt,
  protocol_version: { schemaVersion: "1.0.0" },
  trace_id: "4bf92f3577b34da6a3ce929d0e0e4736",
  tenant_id: "acme",
  pipeline_id: "p-1",
  stage_id: "implement",
  dispatch_id: "dispatch-1",
  attempt_number: 1,
  pack_id: "senior-ts-dev",
  actor: { type: "ACTOR_TYPE_ORCHESTRATOR", id: "baton-1" },
  action: "Chose senior-ts-dev-1",
  rationale: "It is the least busy of two",
  snapshot: { dispatch: dispatchSnapshot },
  sequence: "42",
  previous_hash: hash(1),
  entry_hash: hash(2),
});

const snapshot = (arm: string, content: JsonObject) => patch(minimalEntry, { snapshot: { [arm]: content } });

export const auditCases: readonly Case[] = [
  valid("audit-entry-minimal", "AuditEntry", "The smallest entry that the rules accept.", minimalEntry),
  valid("audit-entry-full", "AuditEntry", "An entry in which every field is set.", fullEntry),
  valid(
    "audit-entry-first-of-its-chain",
    "AuditEntry",
    "The first entry of a chain has a hash of its own, and none before it.",
    patch(minimalEntry, { sequence: "1", entry_hash: hash(3) }),
  ),
  ...Object.entries(snapshots).map(([arm, content]) =>
    valid(
      `audit-entry-snapshot-${arm}`,
      "AuditEntry",
      `The ${arm} arm of the snapshot, with every field set.`,
      snapshot(arm, content),
    ),
  ),
  ...Object.keys(snapshots)
    .filter((arm) => arm !== "agent")
    .map((arm) =>
      valid(
        `audit-entry-snapshot-${arm}-hollow`,
        "AuditEntry",
        `The ${arm} arm is chosen although it is empty.`,
        snapshot(arm, {}),
      ),
    ),
  valid(
    "audit-entry-snapshot-of-nothing",
    "AuditEntry",
    "A snapshot in which no arm is chosen: the oneof is not required.",
    patch(minimalEntry, { snapshot: {} }),
  ),
  valid(
    "audit-entry-hollow",
    "AuditEntry",
    "An actor that is not named, at an instant with nothing in it, of an empty snapshot within a snapshot.",
    patch(minimalEntry, {
      timestamp: epoch,
      actor: {},
      snapshot: {
        gate: {
          reviewer: {},
          checks: [{}, { claim: {}, run: {} }, { run: { duration: "0s", baseTests: {} } }],
        },
      },
    }),
  ),
  valid(
    "audit-entry-hollow-result",
    "AuditEntry",
    "A result of which neither timing nor usage is known, but both are there.",
    snapshot("result", { timing: {}, usage: {} }),
  ),
  valid(
    "audit-entry-hollow-response",
    "AuditEntry",
    "A structured response that says nothing.",
    snapshot("result", { response: {} }),
  ),
  valid(
    "audit-entry-hollow-admission",
    "AuditEntry",
    "Admission saw nothing worth a number.",
    snapshot("escalation", { admission: {} }),
  ),
  valid(
    "audit-entry-hollow-change",
    "AuditEntry",
    "A review of a change that changes nothing.",
    snapshot("escalation", { change: {} }),
  ),
  valid(
    "audit-entry-hollow-pipeline",
    "AuditEntry",
    "A pipeline without limits and without a summary, both stated.",
    snapshot("pipeline", { policy: {}, summary: {} }),
  ),
  valid(
    "audit-entry-hollow-timeout",
    "AuditEntry",
    "A duration of zero that ended at the epoch.",
    snapshot("timeout", { duration: "0s", deadline: epoch }),
  ),
  ...["UNSPECIFIED", "ORCHESTRATOR", "AGENT", "HUMAN", "SYSTEM"].map((type) =>
    valid(
      `audit-entry-actor-${type.toLowerCase()}`,
      "AuditEntry",
      `An actor of type ${type}.`,
      patch(minimalEntry, { actor: { type: `ACTOR_TYPE_${type}`, id: "baton-1" } }),
    ),
  ),
  ...breaks("AuditEntry", minimalEntry, [
    ["audit_id", "", "string.min_len", "An entry without an id."],
    ["event_type", 7, "enum.defined_only", "A kind of event from a gap between the known ones."],
    [
      "event_type",
      60,
      "enum.defined_only",
      "A kind of event from the reserved range.",
      { suffix: "reserved" },
    ],
    ["sequence", "-1", "int64.gte", "A place before the beginning of the chain."],
    ["previous_hash", hash(1, 31), "bytes.len", "A hash that is one byte short.", { suffix: "short" }],
    ["previous_hash", hash(1, 33), "bytes.len", "A hash that is one byte long.", { suffix: "long" }],
    [
      "previous_hash",
      "",
      "bytes.len",
      "A hash that is there but empty is not an absent one.",
      { suffix: "empty" },
    ],
    ["entry_hash", hash(2, 31), "bytes.len", "A hash that is one byte short.", { suffix: "short" }],
    [
      "entry_hash",
      "",
      "bytes.len",
      "A hash that is there but empty is not an absent one.",
      { suffix: "empty" },
    ],
    [
      "snapshot.dispatch",
      { candidates: [{ eligible: true }] },
      "string.min_len",
      "A verdict on no pack.",
      { at: "snapshot.dispatch.candidates[0].pack_id" },
    ],
    [
      "snapshot.dispatch",
      { candidates: [{ packId: "generalist", rank: -1 }] },
      "int32.gte",
      "A rank before the first.",
      { at: "snapshot.dispatch.candidates[0].rank" },
    ],
    [
      "snapshot.result.consecutive_invalid_results",
      -1,
      "int32.gte",
      "Fewer than no invalid results in a row.",
    ],
    [
      "snapshot.result.response.status",
      9,
      "enum.defined_only",
      "A response with a status that nobody knows.",
    ],
    [
      "snapshot.result.response.data_left_out_chars",
      -1,
      "int32.gte",
      "Fewer than no characters were left out.",
    ],
    ["snapshot.gate.attempts_remaining", -1, "int32.gte", "Fewer than no attempts are left."],
    [
      "snapshot.gate",
      { checks: [{ status: 4 }] },
      "enum.defined_only",
      "A check that ended in a way nobody knows.",
      { at: "snapshot.gate.checks[0].status" },
    ],
    ["snapshot.escalation.admission.queue_depth", -1, "int32.gte", "Fewer than no tasks waited."],
    ["snapshot.escalation.admission.max_queue_depth", -1, "int32.gte", "Fewer than no tasks may wait."],
    ["snapshot.escalation.change.files", -1, "int32.gte", "Fewer than no files were changed."],
    ["snapshot.escalation.change.added_lines", -1, "int32.gte", "Fewer than no lines were added."],
    ["snapshot.escalation.change.removed_lines", -1, "int32.gte", "Fewer than no lines were removed."],
    ["snapshot.pipeline.stage_count", -1, "int32.gte", "Fewer than no stages."],
    ["snapshot.pipeline.rewound_from", "-1", "int64.gte", "A rewind from before the beginning."],
    ["snapshot.pipeline.rewound_to", "-1", "int64.gte", "A rewind to before the beginning."],
    [
      "snapshot.agent",
      { lastError: "x" },
      "string.min_len",
      "A snapshot of no instance.",
      { at: "snapshot.agent.instance_id" },
    ],
    [
      "snapshot.agent",
      { instanceId: "senior-ts-dev-1", consecutiveFailures: -1 },
      "int32.gte",
      "Fewer than no failures in a row.",
      { at: "snapshot.agent.consecutive_failures" },
    ],
  ]),
  ...hollow("AuditEntry", minimalEntry, [
    ["snapshot.pipeline.origin", missing.pipelineOrigin],
    ["protocol_version", missing.protocolVersion],
    ["snapshot.agent", missing.agentSnapshot],
  ]),
];
