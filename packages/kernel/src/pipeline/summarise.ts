import { type PipelineSummary, PipelineSummarySchema } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { durationFromMs, timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { PipelineState } from "./state.ts";

/**
 * Step 7 of A §4.3: all artifacts, decisions, risks and timing. Of a path that was written twice the last counts.
 * What was spent is that of all attempts, also of those that came to nothing.
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
  return create(PipelineSummarySchema, {
    artifacts: [...artifacts.values()],
    decisions: results.flatMap(({ contextOut }) => contextOut?.decisionsMade ?? []),
    risks: [...new Set(results.flatMap(({ contextOut }) => contextOut?.risksIdentified ?? []))],
    timing: {
      startedAt: timestampFromMs(startMs),
      finishedAt: timestampFromMs(nowMs),
      duration: durationFromMs(nowMs - startMs),
    },
    stagesCompleted: completed.length,
    stagesSkipped: state.tally.SKIPPED,
    totalRetries: state.retriesUsed,
    totalRejections: state.rejectionsUsed,
    usage: {
      inputTokens: BigInt(spent.inputTokens),
      outputTokens: BigInt(spent.tokens - spent.inputTokens),
      costMicroUsd: BigInt(spent.costMicroUsd),
      steps: spent.steps,
    },
  });
}
