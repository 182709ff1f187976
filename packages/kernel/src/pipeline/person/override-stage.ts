import {
  type AgentResult,
  AgentResultSchema,
  AuditEventType,
  Outcome,
  ResponseStatus,
} from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import type { Problem } from "../../problem.ts";
import type { Draft } from "../decision/draft.ts";
import { voidQuestions } from "../decision/escalate.ts";
import type { Actor, PipelineInput, ProvidedWork } from "../decision/input.ts";
import { refusal, wrongState } from "../decision/refusal.ts";
import { checkOwnWork } from "../review/decide-review.ts";
import type { Sent, StageOf } from "../state/stage-state.ts";
import { commitOf } from "../state/workspace.ts";
import { findStage, goOn, isPausedFor, resetFailedStage } from "./steer-stage.ts";

type Override = Extract<PipelineInput, { type: "override-stage" }>;

/**
 * A person completes a failed stage with the result of its last attempt or with their own work (PIP-10). The stage passes
 * through READY and DISPATCHED, the only way to COMPLETED in A §4.5. No checks run: the person is responsible.
 */
export function overrideStage(draft: Draft, input: Override): Problem | undefined {
  const { stageId, provided, reason, by } = input;
  const index = findStage(draft, stageId);
  if (typeof index !== "number") return index;
  const stage = draft.stage(index);
  if (stage.status !== "FAILED")
    return wrongState(
      draft,
      "override",
      `stage "${stageId}" is ${stage.status}, and only a failed stage can be`,
    );
  const last = stage.sent;
  if (!last)
    return refusal(
      "BATON-PIPELINE-002",
      `cannot override: stage "${stageId}" was never sent`,
      "resume the run",
    );
  const problem = whyNot(draft, stage, last, input);
  if (problem) return problem;
  const why = `overridden by ${by.id}: ${reason}`;
  const isStopped = isPausedFor(draft, index);
  const commit = provided ? provided.commitSha : (commitOf(stage) ?? "");
  voidQuestions(draft, index, why, by);
  resetFailedStage(draft, index, reason, by);
  const sent = attemptOf(draft, index, last, provided ? by : undefined);
  const result = provided ? resultOf(draft, sent, provided, reason) : (stage.failure.result as AgentResult);
  const { nowMs: atMs } = draft;
  draft.record({ type: "overridden", stage: index, sent, result, by: by.id, reason, atMs });
  if (commit !== "") draft.record({ type: "kept", stage: index, attempt: sent.attempt, commit, atMs });
  draft.note(AuditEventType.STAGE_OVERRIDDEN, provided ? "provided a result" : "accepted a result", {
    stage: index,
    sent,
    actor: by,
    rationale: reason,
    snapshot: { case: "gate", value: { passed: true } },
  });
  draft.record({ type: "completed", stage: index, atMs });
  return goOn(draft, index, isStopped, why, by);
}

/** Agents and, for critical risk, the submitter cannot accept the work (PIP-06). */
function whyNot(
  draft: Draft,
  { failure }: StageOf<"FAILED">,
  last: Sent,
  { provided, by, stageId }: Override,
): Problem | undefined {
  if (!provided && !failure.result) {
    const message = `cannot accept: the last attempt of stage "${stageId}" returned no result`;
    return refusal("BATON-PIPELINE-002", message, "provide a result, or resume to try the stage again");
  }
  return checkOwnWork(draft, by, last);
}

/** The attempt that completes the stage: of the agent whose work is accepted, or of the person. */
function attemptOf(draft: Draft, index: number, last: Sent, person: Actor | undefined): Sent {
  const { attempt } = draft.stage(index);
  const { agentKey: _, ...rest } = last;
  return {
    ...(person ? rest : last),
    dispatchId: `${draft.state.id}/${draft.plan(index).id}/${attempt}`,
    attempt,
    choice: person ? { ...last.choice, packId: "", packVersion: "", instanceId: person.id } : last.choice,
    granted: {},
    sentAtMs: draft.nowMs,
    timeoutAtMs: draft.nowMs,
  };
}

function resultOf(draft: Draft, sent: Sent, provided: ProvidedWork, reason: string): AgentResult {
  const { summary, commitSha, artifacts, contextOut, data } = provided;
  return create(AgentResultSchema, {
    protocolVersion: { schemaVersion: draft.world.schemaVersion },
    status: { outcome: Outcome.SUCCESS, summary },
    ...(sent.envelope.trace && { trace: sent.envelope.trace }),
    evidence: { evidencePayload: { case: "noneWithReason", value: `provided by a person: ${reason}` } },
    taskId: sent.envelope.contract?.taskId ?? "",
    dispatchId: sent.dispatchId,
    attemptNumber: sent.attempt,
    commitSha,
    artifacts: [...artifacts],
    ...(contextOut && { contextOut }),
    ...(data && { response: { status: ResponseStatus.SUCCESS, data, message: summary } }),
  });
}
