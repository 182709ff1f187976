import { AlignmentVerdict, AuditEventType, CacheRecordSchema, encodeBinary, Outcome } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { hexOf } from "../../governance/cache/identity.ts";
import { cacheLimits } from "../../governance/cache/limits.ts";
import { timestampOf } from "../../times.ts";
import type { Draft } from "../decision/draft.ts";

/** Stores the outcome of a completed task that identical tasks may reuse (SAP V2 §6). */
export function storeOutcome(draft: Draft): void {
  const { cache, task, plan } = draft.state;
  const { digest, harmlessTools } = draft.world;
  if (cache?.phase !== "leading" || !digest || !task.governance) return;
  const [stage] = draft.state.stages;
  if (stage?.status !== "COMPLETED") return;
  const alignment = draft.state.alignments?.get(0)?.report;
  const { sapVersion, capability, territory, taskId } = task.governance;
  const record = create(CacheRecordSchema, {
    ...{ cacheKey: cache.key, fingerprint: cache.fingerprint, sapVersion, territory },
    // What it cost and when is part of its own task.
    result: { ...stage.result, usage: undefined, timing: undefined, notices: [] },
    ...(alignment && { alignment }),
    storedAt: timestampOf(draft.nowMs),
    producer: stage.sent.choice.packId,
    riskTier: stage.sent.choice.riskTier,
    capability: capability || (plan.stages[0]?.taskType ?? ""),
    sourceTaskId: taskId,
    sourcePipelineId: draft.state.id,
  });
  const bytes = encodeBinary(CacheRecordSchema, record);
  const obstacle = whyNotStored(draft, harmlessTools) ?? whyTooLarge(bytes);
  if (obstacle !== undefined)
    return draft.note(AuditEventType.CACHE_STORED, "did not store the outcome", { rationale: obstacle });
  const sum = hexOf(digest(bytes));
  draft.record({ type: "outcome-stored", digest: sum, atMs: draft.nowMs });
  draft.note(AuditEventType.CACHE_STORED, "stored the outcome", {
    rationale: `key ${cache.key}, SHA-256 of the record ${sum}`,
  });
  draft.command({ type: "store-outcome", outcome: record, bytes });
}

/** Only whole outcomes of work that changed nothing outside are reused. */
function whyNotStored({ state }: Draft, harmless: ReadonlySet<string> = new Set()): string | undefined {
  const [stage] = state.stages;
  if (stage?.status !== "COMPLETED") return "it has not completed";
  const { result, sent } = stage;
  if (result.status?.outcome !== Outcome.SUCCESS) return "it is not a complete success";
  if (state.alignments?.get(0)?.report.verdict !== AlignmentVerdict.VALID)
    return "its alignment is not valid";
  if (sent.choice.packId === "") return "a person provided it";
  if (result.artifacts.length > 0 || result.commitSha !== "") return "it has artifacts besides its output";
  const tools = state.cache?.tools ?? [];
  if (tools.length >= cacheLimits.tools) return "too many tools were used";
  const acting = tools.filter((tool) => !harmless.has(tool));
  return acting.length > 0 ? `a tool that may act on the world was used: ${acting.join(", ")}` : undefined;
}

function whyTooLarge({ length }: Uint8Array): string | undefined {
  if (length <= cacheLimits.recordBytes) return undefined;
  return `it has ${length} bytes, and ${cacheLimits.recordBytes} are allowed`;
}
