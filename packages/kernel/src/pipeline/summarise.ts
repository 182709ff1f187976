import type { PipelineSummary } from "@baton/contract";
import { durationOf, timestampOf } from "../times.ts";
import type { PipelineState } from "./state.ts";

/**
 * Step 7 of A §4.3: all artifacts, decisions, risks and timing. Of a path that was written twice the last counts.
 * What was spent is that of all attempts, also of those that came to nothing. It is written out and not left to `create`:
 * every pipeline that completes has one.
 */
export function summarise(state: PipelineState, nowMs: number): PipelineSummary {
  const completed = state.stages.filter((stage) => stage.status === "COMPLETED");
  const results = completed.map(({ result }) => result);
  const artifacts = new Map(
    results.flatMap((result) => result.artifacts.map((artifact) => [artifact.path, artifact])),
  );
  const starts = state.stages.flatMap(({ firstSentAtMs }) => firstSentAtMs ?? []);
  // Results that were taken over from another pipeline are older than this one.
  const startMs = Math.max(state.createdAtMs, Math.min(nowMs, ...starts));
  const { spent } = state.ledger;
  return {
    $typeName: "vasini.agent.v1.PipelineSummary",
    artifacts: [...artifacts.values()],
    decisions: results.flatMap(({ contextOut }) => contextOut?.decisionsMade ?? []),
    risks: [...new Set(results.flatMap(({ contextOut }) => contextOut?.risksIdentified ?? []))],
    timing: {
      $typeName: "vasini.agent.v1.ResultTiming",
      startedAt: timestampOf(startMs),
      finishedAt: timestampOf(nowMs),
      duration: durationOf(nowMs - startMs),
    },
    stagesCompleted: completed.length,
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
  };
}
