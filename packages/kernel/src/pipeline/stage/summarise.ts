import {
  type Artifact,
  AuditEventType,
  type Decision,
  type PipelineSnapshot,
  type PipelineSummary,
} from "@baton/contract";
import { durationOf, timestampOf } from "../../times.ts";
import { type Draft, orchestrator } from "../decision/draft.ts";
import { resolve } from "../decision/escalate.ts";
import { usageDetail } from "../plan/spend-detail.ts";
import type { PipelineState } from "../state/state.ts";
import { clearDeadline } from "./fail-stage.ts";
import { storeOutcome } from "./store-outcome.ts";

/**
 * Step 7 of A §4.3: all artifacts, decisions, risks and timing. For a path written twice, the last counts. Spending
 * includes failed attempts. An object literal, because `create` is slower and every ended pipeline has one.
 */
export function summarise(state: PipelineState, nowMs: number): PipelineSummary {
  const artifacts = new Map<string, Artifact>();
  const decisions: Decision[] = [];
  const risks = new Set<string>();
  let firstSentAtMs = state.firstSentAtMs ?? nowMs;
  for (const stage of state.stages) {
    if (stage.firstSentAtMs !== undefined) firstSentAtMs = Math.min(firstSentAtMs, stage.firstSentAtMs);
    if (stage.status !== "COMPLETED") continue;
    for (const artifact of stage.result.artifacts) artifacts.set(artifact.path, artifact);
    const { contextOut } = stage.result;
    if (!contextOut) continue;
    for (const decision of contextOut.decisionsMade) decisions.push(decision);
    for (const risk of contextOut.risksIdentified) risks.add(risk);
  }
  // Results taken over from another pipeline are older than this one.
  const startMs = Math.max(state.createdAtMs, firstSentAtMs);
  const { spent } = state.spending;
  return {
    $typeName: "vasini.agent.v1.PipelineSummary",
    artifacts: [...artifacts.values()],
    decisions,
    risks: [...risks],
    timing: {
      $typeName: "vasini.agent.v1.ResultTiming",
      startedAt: timestampOf(startMs),
      finishedAt: timestampOf(nowMs),
      duration: durationOf(nowMs - startMs),
    },
    stagesCompleted: state.tally.COMPLETED,
    stagesSkipped: state.tally.SKIPPED,
    totalRetries: state.retriesUsed,
    totalRejections: state.rejectionsUsed,
    usage: {
      $typeName: "vasini.agent.v1.Usage",
      inputTokens: BigInt(spent.inputTokens),
      outputTokens: BigInt(spent.tokens - spent.inputTokens),
      costMicroUsd: BigInt(spent.costMicroUsd),
      steps: spent.steps,
      ...usageDetail(spent),
    },
    leftOut: 0,
  };
}

/** A pipeline in the audit (A §5.4). An object literal, because `create` is slower and every pipeline has two. */
export function pipelineSnapshot(
  { templateId, plan }: PipelineState,
  { policy, summary, origin }: Pick<PipelineSnapshot, "policy" | "summary" | "origin">,
): PipelineSnapshot {
  return {
    $typeName: "vasini.agent.v1.PipelineSnapshot",
    templateId,
    stageCount: plan.stages.length,
    ...(policy && { policy }),
    ...(summary && { summary }),
    rewoundFrom: 0n,
    rewoundTo: 0n,
    discarded: [],
    ...(origin && { origin }),
  };
}

function describeEnd({ stagesCompleted: completed, stagesSkipped: skipped }: PipelineSummary): string {
  const stages = completed === 1 ? "1 stage" : `${completed} stages`;
  return `${stages} completed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}

/** I1: complete only when all required stages are, and no other is unfinished. */
export function completeIfDone(draft: Draft): void {
  const { life, tally, stages } = draft.state;
  if (life.status !== "RUNNING" || tally.COMPLETED + tally.SKIPPED < stages.length) return;
  for (const id of draft.state.escalations.keys()) resolve(draft, id, "the run has completed", orchestrator);
  clearDeadline(draft);
  const summary = summarise(draft.state, draft.nowMs);
  draft.record({ type: "pipeline-completed", summary, atMs: draft.nowMs });
  draft.note(AuditEventType.PIPELINE_COMPLETED, "completed", {
    rationale: describeEnd(summary),
    snapshot: { case: "pipeline", value: pipelineSnapshot(draft.state, { summary }) },
  });
  storeOutcome(draft);
}
