import { AuditEventType, type SubmitTaskRequest } from "@baton/contract";
import type { Draft } from "../decision/draft.ts";
import type { InputOf } from "../decision/input.ts";
import type { PipelinePlan } from "../plan/plan.ts";
import type { RecordOf } from "../records/record.ts";
import { advanceAll } from "../stage/advance.ts";
import { pipelineSnapshot } from "../stage/summarise.ts";
import { deadlineTimer } from "../state/timers.ts";
import { originOf, originView, takeOverResults } from "./rerun.ts";

/** Step 1 of A §4.3: creates and starts the pipeline. */
export function submit(draft: Draft, input: InputOf<"submit">, plan: PipelinePlan): void {
  const { type: _, by, rerun, plan: __, taskDigest, ...content } = input;
  const { keyId: submittedBy } = by;
  const created: RecordOf<"created"> = {
    ...{ type: "created", ...content },
    ...(submittedBy !== undefined && { submittedBy }),
    atMs: draft.nowMs,
  };
  draft.create(created, plan);
  const origin = rerun && originView(originOf(rerun));
  draft.note(AuditEventType.PIPELINE_CREATED, "made a run", {
    actor: by,
    rationale: rerun?.reason ?? [content.task.contract?.title, idsOf(content.task, taskDigest)].join(""),
    snapshot: { case: "pipeline", value: pipelineSnapshot(draft.state, { policy: content.policy, origin }) },
  });
  if (rerun) takeOverResults(draft, rerun);
  draft.record({ type: "started", atMs: draft.nowMs });
  const { deadlineAtMs } = draft.state;
  if (deadlineAtMs !== undefined) draft.setTimer(deadlineTimer, deadlineAtMs);
  advanceAll(draft);
}

/** The ids of a governed task and its digest, so that the record holds them (SAP V2 §11). */
function idsOf({ governance }: SubmitTaskRequest, digest: string | undefined): string {
  if (!governance) return "";
  const { taskId, parentTaskId, correlationId } = governance;
  const part = parentTaskId === "" ? "" : `, part of ${parentTaskId}`;
  const content = digest === undefined ? "" : `, content ${digest}`;
  return ` (task ${taskId}${part}, correlation ${correlationId}${content})`;
}
