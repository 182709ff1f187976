import {
  type AgentResult,
  type Blocker,
  BlockerType,
  Confidence,
  type Evidence,
  type Outcome,
  type ProtocolVersion,
  type ResponseStatus,
  type ResultTiming,
  schemaVersion,
  type TraceContext,
} from "@baton/contract";
import { durationFromMs, timestampFromMs } from "@bufbuild/protobuf/wkt";
import { limits } from "../limits.ts";
import type { Artifacts } from "../task/artifacts.ts";
import type { AttemptFacts } from "../task/attempt-facts.ts";
import type { EvidenceLog } from "../task/evidence-log.ts";
import type { Notes } from "../task/notes.ts";
import type { Safety } from "../task/safety.ts";
import type { BlockerGiven, BlockerKind, OutcomeOptions } from "./outcome-options.ts";
import { newSpanId } from "./span-id.ts";

/** What an attempt has gathered by now. */
export interface Gathered {
  readonly facts: AttemptFacts;
  readonly evidence: EvidenceLog;
  readonly artifacts: Artifacts;
  readonly notes: Notes;
  readonly safety: Safety;
}

/** What one outcome says beside what was gathered. */
export interface Verdict extends OutcomeOptions {
  readonly outcome: Outcome;
  readonly status: ResponseStatus;
  readonly summary: string;
  /** What routing tells the user or the agent before; the summary unless stated. */
  readonly failureCode?: string;
  readonly failureReason?: string;
  readonly blockers?: readonly BlockerGiven[];
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
 * The whole answer (A §2.9): who, to what, how it ended, and what proves it. Its messages are written out, because one is
 * made for every task; what an author without types leaves out is empty, as `create` would have it.
 */
export function composeResult(gathered: Gathered, verdict: Verdict): AgentResult {
  const { facts, artifacts, notes, safety } = gathered;
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
    artifacts: [...artifacts.all],
    blockers: (verdict.blockers ?? []).map(blockerOf),
    contextOut: notes.contextOut,
    taskId: contract.taskId,
    dispatchId: execution.dispatchId,
    attemptNumber: execution.attemptNumber,
    usage: safety.usage(),
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
  };
}

function blockerOf({ description, kind = "other", suggestion }: BlockerGiven): Blocker {
  return {
    $typeName: "vasini.agent.v1.Blocker",
    description: description ?? "",
    blockerType: blockerTypes[kind] ?? BlockerType.UNSPECIFIED,
    suggestedResolution: suggestion ?? "",
  };
}

/** Exactly one of items or a reason that is not empty (A §2.12). */
function evidenceOf({ evidence }: Gathered, { noEvidence }: Verdict): Evidence {
  const items = [...evidence.items];
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

/** A span of its own, below the one that sent the task. */
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

/** A clock that was set meanwhile must not make the answer end before it began, or an hour later than it did. */
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
