import type { Artifact, Decision, PipelineSummary } from "@baton/contract";
import { durationOf, timestampOf } from "../times.ts";
import type { PipelineState } from "./state.ts";

/**
 * Step 7 of A §4.3: all artifacts, decisions, risks and timing. Of a path that was written twice the last counts.
 * What was spent is that of all attempts, also of those that came to nothing. It is written out and not left to `create`:
 * every pipeline that has ended has one, whatever way it ended.
 */
export function summarise(state: PipelineState, nowMs: number): PipelineSummary {
  const artifacts = new Map<string, Artifact>();
  const decisions: Decision[] = [];
  const risks = new Set<string>();
  let firstSentAtMs = nowMs;
  for (const stage of state.stages) {
    if (stage.firstSentAtMs !== undefined) firstSentAtMs = Math.min(firstSentAtMs, stage.firstSentAtMs);
    if (stage.status !== "COMPLETED") continue;
    for (const artifact of stage.result.artifacts) artifacts.set(artifact.path, artifact);
    const { contextOut } = stage.result;
    if (!contextOut) continue;
    for (const decision of contextOut.decisionsMade) decisions.push(decision);
    for (const risk of contextOut.risksIdentified) risks.add(risk);
  }
  // Results that were taken over from another pipeline are older than this one.
  const startMs = Math.max(state.createdAtMs, firstSentAtMs);
  const { spent } = state.ledger;
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
    },
    leftOut: 0,
  };
}
