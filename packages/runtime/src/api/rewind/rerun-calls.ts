import {
  RerunPipelineResponseSchema,
  type SubmitTaskRequest,
  SubmitTaskRequestSchema,
} from "@baton/contract";
import { replay } from "@baton/kernel";
import { clone, create } from "@bufbuild/protobuf";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { recordsOf } from "../../journal/read-records.ts";
import { pipelineView } from "../../views/pipeline-view.ts";
import { find, type HubContext, refuseOverload, runNotFound, settled } from "../context.ts";
import type { Hub } from "../hub.ts";
import { submitInput } from "../tasks/submission.ts";

/** A new run that starts from a stage of another one (TUR-08). */
export function rerunCalls(context: HubContext): Pick<Hub, "rerunPipeline"> {
  const { engine, chance } = context;
  return {
    async rerunPipeline(caller, request) {
      refuseOverload(context);
      const { pipelineId, stageId, idempotencyKey, reason, inputs, mergeInputs, instructions } = request;
      await find(context, caller, pipelineId);
      const records = await recordsOf(context, pipelineId);
      const [made] = records;
      const origin = replay(records);
      if (!origin || made?.type !== "created") throw runNotFound(pipelineId);
      const { templateId, name, stages, policy, rootCommit } = made;
      const traceId = caller.traceId ?? chance.uuid().replaceAll("-", "");
      const plan = { templateId, name, stages, policy };
      const task = repeatedTask(origin.task, idempotencyKey, engine.nowMs);
      const input = {
        ...submitInput(caller, task, plan, traceId, rootCommit),
        rerun: { origin, stageId, reason, inputs, mergeInputs, instructions },
      };
      const { state, created } = await settled(engine.submit(input.pipelineId, input));
      return create(RerunPipelineResponseSchema, {
        pipeline: pipelineView(state, { withResults: true }),
        existing: !created,
      });
    },
  };
}

/** The task with another key. A passed deadline is removed. */
function repeatedTask(task: SubmitTaskRequest, idempotencyKey: string, nowMs: number): SubmitTaskRequest {
  const task2 = clone(SubmitTaskRequestSchema, task);
  task2.idempotencyKey = idempotencyKey;
  if (task2.deadline && timestampMs(task2.deadline) <= nowMs) delete task2.deadline;
  return task2;
}
