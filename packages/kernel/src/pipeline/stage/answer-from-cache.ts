import {
  type AgentResult,
  AgentResultSchema,
  AlignmentVerdict,
  AuditEventType,
  type CacheRecord,
  CancelReason,
  TaskEnvelopeSchema,
} from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { type CacheAnswer, judgeRecord } from "../../governance/cache/judge-record.ts";
import { cacheLimits } from "../../governance/cache/limits.ts";
import { cacheTerms } from "../../governance/cache/terms.ts";
import { describeTrouble } from "../../governance/report.ts";
import type { Problem } from "../../problem.ts";
import { effectiveTier } from "../../risk-tier.ts";
import type { World } from "../../world.ts";
import { beginAlignment } from "../alignment/begin.ts";
import { alignmentOf, constitutionOf, recordAlignment } from "../alignment/subject.ts";
import { contractFor } from "../attempt/envelope.ts";
import type { Draft } from "../decision/draft.ts";
import { spanIdOf } from "../state/span-id.ts";
import { type Sent, waitOf } from "../state/stage-state.ts";
import { identicalTimer } from "../state/timers.ts";
import { advance } from "./advance.ts";
import { cancelAll, failPipeline } from "./fail-stage.ts";
import { setWait } from "./hold-stage.ts";
import { startStage } from "./start-stage.ts";

/**
 * Answers a stage with a stored outcome, lets it wait for an identical task, or fails it where it may not be executed (SAP V2 §6).
 * False when it is to be executed. Decided once for each task: a person who takes it back wants it executed.
 */
export function answerFromCache(draft: Draft, index: number): boolean {
  const { cache, id, task, createdAtMs } = draft.state;
  if (cache?.phase !== "open") return false;
  const terms = cacheTerms(task.governance, effectiveTier(task.riskTier, draft.plan(index).riskTier));
  if (!terms) return false;
  const { record: found, leader } = draft.world.cache ?? {};
  const record = found?.sourcePipelineId === cache.refused ? undefined : found;
  const constitutionDigest = constitutionOf(draft).digest;
  const circumstances = { nowMs: draft.nowMs, sinceMs: createdAtMs, constitutionDigest };
  const answer = judgeRecord(terms, record, circumstances);
  const waited = waitOf(draft.stage(index))?.kind === "identical";
  if (waited && leader === undefined && task.deadline) draft.clearTimer(identicalTimer);
  if (answer.kind === "hit") serve(draft, index, answer);
  else if (terms.mode === "only") failForMiss(draft, answer.reason);
  else if (leader !== undefined && leader !== id) waitForIdentical(draft, index, leader);
  else {
    noteMiss(draft, index, answer.reason);
    return false;
  }
  return true;
}

/** Why a task that would wait for an identical one is refused; undefined when it is not. */
export function tooManyIdentical({ cache }: World): Problem | undefined {
  if (cache?.leader === undefined || cache.waiters < cacheLimits.waiters) return undefined;
  return {
    code: "BATON-CACHE-001",
    at: "governance.cache_policy",
    message: `${cache.waiters} tasks wait for one execution of the same task already`,
    fix: "submit it later, or with the cache mode bypass",
  };
}

/** An outcome that has to be checked again passes through the checks of an answer, and asks nobody. */
function serve(
  draft: Draft,
  index: number,
  { record, ageSec, recheck }: Extract<CacheAnswer, { kind: "hit" }>,
): void {
  const { sourceTaskId: taskId, sourcePipelineId: pipelineId, cacheKey } = record;
  const sent = pseudoAttempt(draft, index, record);
  const result = servedResult(sent, record);
  const source = { taskId, pipelineId, ageSec, dispatchId: sent.dispatchId };
  draft.record({ type: "served", stage: index, sent, result, source, atMs: draft.nowMs });
  draft.note(AuditEventType.CACHE_ANSWERED, "answered from the cache", {
    stage: index,
    sent,
    rationale: `the outcome of task ${taskId} (run ${pipelineId}), ${ageSec} s old; key ${cacheKey}`,
  });
  const { governance } = draft.state.task;
  if (recheck !== undefined && governance) beginAlignment(draft, index, governance, true);
  else if (record.alignment) {
    const { dispatchId } = sent;
    const report = { ...record.alignment, stageId: draft.plan(index).id, dispatchId };
    recordAlignment(draft, index, "decided", report);
  }
  continueServed(draft, index);
}

/** Completes a stage that was answered from the cache once its alignment is decided, or looks for another answer. */
export function continueServed(draft: Draft, index: number): void {
  const alignment = alignmentOf(draft, index);
  if (alignment && alignment.phase !== "decided") return;
  if (!alignment || alignment.report.verdict === AlignmentVerdict.VALID) {
    draft.record({ type: "completed", stage: index, atMs: draft.nowMs });
    return advance(draft, [index]);
  }
  const reason = `the stored outcome does not follow the constitution: ${describeTrouble(alignment.report)}`;
  draft.record({ type: "cache-missed", stage: index, reason, served: true, atMs: draft.nowMs });
  draft.note(AuditEventType.CACHE_ANSWERED, "refused an outcome of the cache", {
    stage: index,
    rationale: reason,
  });
  startStage(draft, index);
}

/** Nothing is sent: it stands for the attempt that a completed stage has. */
function pseudoAttempt(draft: Draft, index: number, { producer, riskTier }: CacheRecord): Sent {
  const { state, nowMs } = draft;
  const { id, attempt } = { ...draft.plan(index), ...draft.stage(index) };
  const dispatchId = `${state.id}/${id}/${attempt}`;
  const trace = {
    traceId: state.traceId,
    spanId: spanIdOf(dispatchId),
    parentSpanId: spanIdOf(state.id),
    tenantId: state.tenantId,
  };
  const { outputSchema } = draft.plan(index);
  const contract = contractFor(state, index);
  return {
    ...{ dispatchId, attempt, granted: {}, sentAtMs: nowMs, timeoutAtMs: nowMs },
    envelope: create(TaskEnvelopeSchema, { contract, trace, ...(outputSchema && { outputSchema }) }),
    choice: {
      ...{ packId: producer, packVersion: "", instanceId: "cache", candidatePackIds: [] },
      ...{ policyVersion: draft.world.policy.version, riskTier, usedFallback: false, verdicts: [] },
    },
  };
}

/** The stored outcome as the result of this task. What it cost was counted when it was produced. */
function servedResult({ envelope, dispatchId, attempt }: Sent, record: CacheRecord): AgentResult {
  const { usage: _, timing: __, ...outcome } = record.result ?? create(AgentResultSchema);
  return {
    ...outcome,
    ...(envelope.trace && { trace: envelope.trace }),
    evidence: create(AgentResultSchema, {
      evidence: {
        evidencePayload: {
          case: "noneWithReason",
          value: `answered from the cache: the outcome of task ${record.sourceTaskId}`,
        },
      },
    }).evidence as NonNullable<AgentResult["evidence"]>,
    taskId: envelope.contract?.taskId ?? "",
    dispatchId,
    attemptNumber: attempt,
  };
}

function waitForIdentical(draft: Draft, index: number, pipelineId: string): void {
  const wait = waitOf(draft.stage(index));
  if (wait?.kind === "identical" && wait.pipelineId === pipelineId) return;
  const { deadline } = draft.state.task;
  if (deadline) draft.setTimer(identicalTimer, timestampMs(deadline));
  setWait(draft, index, { kind: "identical", pipelineId });
}

function noteMiss(draft: Draft, index: number, reason: string): void {
  draft.record({ type: "cache-missed", stage: index, reason, atMs: draft.nowMs });
  draft.note(AuditEventType.CACHE_ANSWERED, "found no outcome in the cache", {
    stage: index,
    rationale: reason,
  });
}

function failForMiss(draft: Draft, reason: string): void {
  noteMiss(draft, 0, reason);
  const why = `CACHE_MISS: ${reason}, and the task is not executed without one`;
  cancelAll(draft, CancelReason.ABORTED, why);
  failPipeline(draft, why);
}
