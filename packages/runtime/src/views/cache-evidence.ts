import { type AlignmentReport, AlignmentReportSchema, CacheEvidenceSchema } from "@baton/contract";
import { type PipelineState, sentOf } from "@baton/kernel";
import { create } from "@bufbuild/protobuf";

/** The alignment of a pipeline with what its task got from the cache (SAP V2 §6). */
export function withCacheEvidence(
  alignment: AlignmentReport | undefined,
  { cache, stages: [stage] }: PipelineState,
): AlignmentReport | undefined {
  if (!cache) return alignment;
  const { key: cacheKey, missReason = "" } = cache;
  const { source: known } = cache;
  // A run that was taken back is executed.
  const source = known && stage && sentOf(stage)?.dispatchId === known.dispatchId ? known : undefined;
  const evidence = create(CacheEvidenceSchema, {
    ...{ hit: source !== undefined, cacheKey, missReason: source ? "" : missReason },
    ...(source && {
      ageSec: BigInt(source.ageSec),
      sourceTaskId: source.taskId,
      sourcePipelineId: source.pipelineId,
    }),
  });
  return { ...(alignment ?? create(AlignmentReportSchema)), cache: evidence };
}
