import { AuditEventType } from "@baton/contract";
import { letAllGo } from "./advance.ts";
import type { Draft } from "./draft.ts";
import type { PipelineInput } from "./input.ts";
import { pipelineSnapshot } from "./pipeline-snapshot.ts";
import { originOf, originView, takeOver } from "./rerun.ts";
import { deadlineTimer } from "./timer.ts";

/** Step 1 of A §4.3: the pipeline is made, starts, and its first stages are ready. */
export function submit(draft: Draft, input: Extract<PipelineInput, { type: "submit" }>): void {
  const { type: _, by, rerun, ...content } = input;
  const { keyId: submittedBy } = by;
  draft.record({
    ...{ type: "created", ...content },
    ...(submittedBy !== undefined && { submittedBy }),
    atMs: draft.nowMs,
  });
  const origin = rerun && originView(originOf(rerun));
  draft.note(AuditEventType.PIPELINE_CREATED, "made a pipeline", {
    actor: by,
    rationale: rerun?.reason ?? content.task.contract?.title ?? "",
    snapshot: { case: "pipeline", value: pipelineSnapshot(draft.state, { policy: content.policy, origin }) },
  });
  if (rerun) takeOver(draft, rerun);
  draft.record({ type: "started", atMs: draft.nowMs });
  const { deadlineAtMs } = draft.state;
  if (deadlineAtMs !== undefined) draft.setTimer(deadlineTimer, deadlineAtMs);
  letAllGo(draft);
}
