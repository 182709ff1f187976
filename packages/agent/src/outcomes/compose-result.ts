import { randomFillSync } from "node:crypto";
import {
  type AgentResult,
  type Artifact,
  type Blocker,
  BlockerType,
  type Budget,
  Confidence,
  type ContextOut,
  type Evidence,
  type EvidenceItem,
  type Outcome,
  type ProtocolVersion,
  type ResponseStatus,
  type ResultTiming,
  schemaVersion,
  type ToolProposal,
  type TraceContext,
  type Usage,
} from "@baton/contract";
import { durationFromMs, timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { BlockerInput, BlockerKind, OutcomeOptions } from "../api/task.ts";
import type { AttemptFacts } from "../attempt-facts.ts";
import { limits } from "../limits.ts";

/** What the attempt has produced so far. */
export interface Gathered {
  readonly evidence: readonly EvidenceItem[];
  readonly artifacts: readonly Artifact[];
  readonly contextOut: ContextOut;
  readonly usage: Usage;
}

/** What one outcome adds to what the attempt has produced. */
export interface Verdict extends OutcomeOptions {
  readonly outcome: Outcome;
  readonly status: ResponseStatus;
  readonly summary: string;
  /** What the user or the previous agent is given. Default: the summary. */
  readonly failureCode?: string;
  readonly failureReason?: string;
  readonly blockers?: readonly BlockerInput[];
  readonly budgetNeeded?: Budget;
  readonly approvalNeeded?: ToolProposal;
}

const confidences = {
  confident: Confidence.CONFIDENT,
  uncertain: Confidence.UNCERTAIN,
  blocked: Confidence.BLOCKED,
} as const;

const blockerTypes: Record<BlockerKind, BlockerType> = {
  "ambiguous-requirement": BlockerType.AMBIGUOUS_REQUIREMENT,
  "dependency-missing": BlockerType.DEPENDENCY_MISSING,
  "tool-failure": BlockerType.TOOL_FAILURE,
  "permission-denied": BlockerType.PERMISSION_DENIED,
  timeout: BlockerType.TIMEOUT,
  other: BlockerType.UNSPECIFIED,
};

/**
 * The whole result (A §2.9). Its messages are object literals rather than `create` because one is made for every task;
 * values that an author without types omits are empty, as with `create`.
 */
export function composeResult(facts: AttemptFacts, gathered: Gathered, verdict: Verdict): AgentResult {
  const { contract, execution } = facts;
  const summary = verdict.summary ?? "";
  return {
    $typeName: "vasini.agent.v1.AgentResult",
    protocolVersion: versionsOf(facts),
    status: {
      $typeName: "vasini.agent.v1.ResultStatus",
      outcome: verdict.outcome,
      confidence: confidences[verdict.confidence ?? "confident"] ?? Confidence.UNSPECIFIED,
      summary,
      failureCode: verdict.failureCode ?? "",
      failureReason: shorten(verdict.failureReason ?? ""),
    },
    trace: traceOf(facts),
    evidence: evidenceOf(gathered, verdict),
    timing: timingOf(facts),
    artifacts: [...gathered.artifacts],
    blockers: (verdict.blockers ?? []).map(blockerOf),
    contextOut: gathered.contextOut,
    taskId: contract.taskId,
    dispatchId: execution.dispatchId,
    attemptNumber: execution.attemptNumber,
    usage: gathered.usage,
    response: {
      $typeName: "vasini.agent.v1.StructuredResponse",
      thought: verdict.thought ?? "",
      status: verdict.status,
      data: verdict.data ?? {},
      message: verdict.failureReason ? shorten(verdict.failureReason) : summary,
      nextStepHint: verdict.nextStepHint ?? "",
    },
    notices: [],
    commitSha: verdict.commit ?? "",
    ...(verdict.budgetNeeded && { budgetNeeded: verdict.budgetNeeded }),
    ...(verdict.approvalNeeded && { approvalNeeded: verdict.approvalNeeded }),
  };
}

function blockerOf({ description, kind = "other", suggestion }: BlockerInput): Blocker {
  return {
    $typeName: "vasini.agent.v1.Blocker",
    description: description ?? "",
    blockerType: blockerTypes[kind] ?? BlockerType.UNSPECIFIED,
    suggestedResolution: suggestion ?? "",
  };
}

/** Exactly one of items or a reason that is not empty (A §2.12). */
function evidenceOf({ evidence }: Gathered, { noEvidence }: Verdict): Evidence {
  const items = [...evidence];
  const reason = noEvidence ?? "the agent ran no command";
  return {
    $typeName: "vasini.agent.v1.Evidence",
    evidencePayload:
      items.length > 0
        ? { case: "items", value: { $typeName: "vasini.agent.v1.EvidenceItems", items } }
        : { case: "noneWithReason", value: reason },
  };
}

function versionsOf({ definition, envelope }: AttemptFacts): ProtocolVersion {
  return {
    $typeName: "vasini.agent.v1.ProtocolVersion",
    schemaVersion,
    policyVersion: envelope.protocolVersion?.policyVersion ?? "",
    capabilitySchemaVersion: definition.capabilitySchemaVersion ?? "1.0.0",
    packVersion: definition.version,
    minOrchestratorVersion: "",
  };
}

/** A child of the span that sent the task. */
function traceOf({ trace, instanceId }: AttemptFacts): TraceContext {
  const { traceId, spanId, tenantId } = trace;
  return {
    $typeName: "vasini.agent.v1.TraceContext",
    traceId,
    spanId: newSpanId(),
    parentSpanId: spanId,
    tenantId,
    agentId: instanceId,
  };
}

/** Counted by the stopwatch, so that setting the clock does not change it. */
export function timingOf({ stopwatch }: AttemptFacts): ResultTiming {
  const { startedMs } = stopwatch;
  const finishedMs = stopwatch.nowMs();
  return {
    $typeName: "vasini.agent.v1.ResultTiming",
    startedAt: timestampFromMs(startedMs),
    finishedAt: timestampFromMs(finishedMs),
    duration: durationFromMs(finishedMs - startedMs),
  };
}

export function shorten(text: string): string {
  if (text.length <= limits.reasonLength) return text;
  return `${text.slice(0, limits.reasonLength).toWellFormed()} […]`;
}

const idBytes = 8;
/** Requesting random bytes costs more than the bytes, so they are fetched for many ids at once. */
const pool = Buffer.alloc(idBytes * 256);
let used = pool.length;

/** A span id of W3C Trace Context. */
function newSpanId(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += idBytes;
  return pool.toString("hex", used - idBytes, used);
}
