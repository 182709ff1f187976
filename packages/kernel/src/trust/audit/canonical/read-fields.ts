/**
 * Reads the fields of messages in the order of their numbers. Looking up properties by computed names is slow, so the
 * types of nearly every entry have readers with fixed names. Where these do not match the fields to be read, because the
 * contract has grown or the policy omits a field, a table is used.
 */
import {
  type AuditActor,
  AuditActorSchema,
  type AuditEntry,
  AuditEntrySchema,
  type AuditSnapshot,
  AuditSnapshotSchema,
  type CandidateVerdict,
  CandidateVerdictSchema,
  type DispatchSnapshot,
  DispatchSnapshotSchema,
  type GateCheck,
  GateCheckSchema,
  type GateSnapshot,
  GateSnapshotSchema,
  type GuardrailSnapshot,
  GuardrailSnapshotSchema,
  type GuardrailVerdict,
  GuardrailVerdictSchema,
  type PipelineSnapshot,
  PipelineSnapshotSchema,
  type PipelineSummary,
  PipelineSummarySchema,
  type ProtocolVersion,
  ProtocolVersionSchema,
  type RefFreshnessCheck,
  RefFreshnessCheckSchema,
  type ResponseSnapshot,
  ResponseSnapshotSchema,
  type ResultSnapshot,
  ResultSnapshotSchema,
  type ResultTiming,
  ResultTimingSchema,
  type Usage,
  UsageSchema,
} from "@baton/contract/messages";
import type { DescMessage, Message } from "@bufbuild/protobuf";
import { type Duration, DurationSchema, type Timestamp, TimestampSchema } from "@bufbuild/protobuf/wkt";

export type ReadFields = (message: Message) => readonly unknown[];

/** All fields of an entry but its hash, which is not hashed. */
export const readersByName = new Map<DescMessage, (message: never) => readonly unknown[]>([
  [
    AuditEntrySchema,
    (entry: AuditEntry) => [
      entry.auditId,
      entry.eventType,
      entry.timestamp,
      entry.protocolVersion,
      entry.traceId,
      entry.tenantId,
      entry.pipelineId,
      entry.stageId,
      entry.dispatchId,
      entry.attemptNumber,
      entry.packId,
      entry.actor,
      entry.action,
      entry.rationale,
      entry.snapshot,
      entry.sequence,
      entry.previousHash,
    ],
  ],
  [TimestampSchema, (timestamp: Timestamp) => [timestamp.seconds, timestamp.nanos]],
  [DurationSchema, (duration: Duration) => [duration.seconds, duration.nanos]],
  [ResultTimingSchema, (timing: ResultTiming) => [timing.startedAt, timing.finishedAt, timing.duration]],
  [
    UsageSchema,
    (usage: Usage) => [
      usage.inputTokens,
      usage.outputTokens,
      usage.costMicroUsd,
      usage.steps,
      usage.cacheReadTokens,
      usage.cacheWriteTokens,
      usage.reasoningTokens,
      usage.costUnknown,
      usage.models,
    ],
  ],
  [
    PipelineSnapshotSchema,
    (pipeline: PipelineSnapshot) => [
      pipeline.templateId,
      pipeline.stageCount,
      pipeline.policy,
      pipeline.summary,
      pipeline.rewoundFrom,
      pipeline.rewoundTo,
      pipeline.discarded,
      pipeline.origin,
    ],
  ],
  [
    PipelineSummarySchema,
    (summary: PipelineSummary) => [
      summary.artifacts,
      summary.decisions,
      summary.risks,
      summary.timing,
      summary.stagesCompleted,
      summary.stagesSkipped,
      summary.totalRetries,
      summary.totalRejections,
      summary.usage,
      summary.leftOut,
    ],
  ],
  [
    ProtocolVersionSchema,
    (version: ProtocolVersion) => [
      version.schemaVersion,
      version.policyVersion,
      version.capabilitySchemaVersion,
      version.packVersion,
      version.minOrchestratorVersion,
    ],
  ],
  [AuditActorSchema, (actor: AuditActor) => [actor.type, actor.id]],
  [AuditSnapshotSchema, (snapshot: AuditSnapshot) => [snapshot.snapshotPayload]],
  [
    DispatchSnapshotSchema,
    (dispatch: DispatchSnapshot) => [
      dispatch.selectedPackId,
      dispatch.candidatePackIds,
      dispatch.routingPolicyVersion,
      dispatch.rejectionReasons,
      dispatch.contextLevelApplied,
      dispatch.attemptNumber,
      dispatch.refFreshness,
      dispatch.candidates,
      dispatch.selectedInstanceId,
      dispatch.usedFallback,
      dispatch.omittedContext,
      dispatch.baseCommit,
      dispatch.definition,
    ],
  ],
  [
    RefFreshnessCheckSchema,
    (check: RefFreshnessCheck) => [
      check.uriOrLocator,
      check.wasStale,
      check.refreshSucceeded,
      check.dispatchedWithDegraded,
    ],
  ],
  [
    CandidateVerdictSchema,
    (verdict: CandidateVerdict) => [
      verdict.packId,
      verdict.instanceId,
      verdict.eligible,
      verdict.rank,
      verdict.reason,
    ],
  ],
  [
    ResultSnapshotSchema,
    (result: ResultSnapshot) => [
      result.outcome,
      result.confidence,
      result.failureCode,
      result.artifactsCount,
      result.evidenceCount,
      result.blockersCount,
      result.timing,
      result.validationPassed,
      result.validationError,
      result.schemaVersionReceived,
      result.schemaVersionExpected,
      result.consecutiveInvalidResults,
      result.usage,
      result.rawText,
      result.notices,
      result.response,
    ],
  ],
  [
    ResponseSnapshotSchema,
    (response: ResponseSnapshot) => [
      response.thought,
      response.status,
      response.dataJson,
      response.message,
      response.nextStepHint,
      response.dataLeftOutChars,
    ],
  ],
  [
    GateSnapshotSchema,
    (gate: GateSnapshot) => [
      gate.checks,
      gate.tier,
      gate.passed,
      gate.rejectReason,
      gate.rewindTargetStage,
      gate.attemptsRemaining,
      gate.reviewer,
      gate.commit,
    ],
  ],
  [GuardrailSnapshotSchema, (guardrails: GuardrailSnapshot) => [guardrails.verdicts, guardrails.blocked]],
  [
    GuardrailVerdictSchema,
    (verdict: GuardrailVerdict) => [
      verdict.name,
      verdict.decision,
      verdict.rule,
      verdict.reason,
      verdict.path,
    ],
  ],
  [
    GateCheckSchema,
    (check: GateCheck) => [
      check.gateName,
      check.passed,
      check.evidence,
      check.status,
      check.claim,
      check.run,
      check.disproved,
    ],
  ],
]);

/** A reader of these properties of a message type. */
export function fieldReader(schema: DescMessage, properties: readonly string[]): ReadFields {
  const known = readersByName.get(schema) as ((message: object) => readonly unknown[]) | undefined;
  const probe = Object.fromEntries(properties.map((property) => [property, property]));
  if (known && known(probe).join() === properties.join()) return known;
  return (message) => properties.map((property) => (message as unknown as Record<string, unknown>)[property]);
}
