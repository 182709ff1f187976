import type { PipelineSnapshot } from "@baton/contract";
import type { PipelineState } from "./state.ts";

/** A pipeline in the audit (A §5.4). Written out and not left to `create`: every pipeline has two of these. */
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
