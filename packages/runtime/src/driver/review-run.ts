import { type PipelineInput, type ReviewSubmission, spanIdOf } from "@baton/kernel";
import { pipelineIdFor } from "../hub/submission.ts";
import type { Order } from "./order.ts";

/** The same attempt always has the same run, so that a command that is carried out twice makes one. */
export function reviewPipelineId(tenantId: string, dispatchId: string): string {
  // No key of a caller has a control character in it, so the ids never meet.
  return pipelineIdFor(tenantId, `\u0000review/${dispatchId}`);
}

/** The run in which a reviewer agent judges an attempt, in the trace of that attempt. */
export function reviewInput(
  { tenantId, traceId }: Order,
  pipelineId: string,
  submission: ReviewSubmission,
): Extract<PipelineInput, { type: "submit" }> {
  return {
    type: "submit",
    ...submission,
    ...{ pipelineId, tenantId, traceId, templateId: "" },
    parentSpanId: spanIdOf(submission.reviewOf.dispatchId),
    by: { kind: "orchestrator", id: "baton" },
  };
}
