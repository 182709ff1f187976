import {
  RerunPipelineResponseSchema,
  type SubmitTaskRequest,
  SubmitTaskRequestSchema,
} from "@baton/contract";
import { replay } from "@baton/kernel";
import { clone, create } from "@bufbuild/protobuf";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { pipelineView } from "../views/pipeline-view.ts";
import { find, type HubContext, notFound, refuseOverload, settled } from "./context.ts";
import type { Hub } from "./hub.ts";
import { recordsOf } from "./read-records.ts";
import { submitInput } from "./submission.ts";

/** Beginning anew with a stage of another pipeline (TUR-08). */
export function rerunCalls(context: HubContext): Pick<Hub, "rerunPipeline"> {
  const { driver, chance } = context;
  return {
    async rerunPipeline(caller, request) {
      refuseOverload(context);
      const { pipelineId, stageId, idempotencyKey, reason, inputs, mergeInputs, instructions } = request;
      await find(context, caller, pipelineId);
      const records = await recordsOf(context, pipelineId);
      const [made] = records;
      const origin = replay(records);
      if (!origin || made?.type !== "created")
        throw notFound("run", pipelineId, "list the runs (baton runs list) and name one of them");
      const { templateId, name, stages, policy, rootCommit } = made;
      const traceId = caller.traceId ?? chance.uuid().replaceAll("-", "");
      const plan = { templateId, name, stages, policy };
      const task = taskAgain(origin.task, idempotencyKey, driver.nowMs);
      const input = {
        ...submitInput(caller, task, plan, traceId, rootCommit),
        rerun: { origin, stageId, reason, inputs, mergeInputs, instructions },
      };
      const { state, created } = await settled(driver.ask(input.pipelineId, input));
      return create(RerunPipelineResponseSchema, {
        pipeline: pipelineView(state, { withResults: true }),
        existing: !created,
      });
    },
  };
}

/** The same task under another key. A deadline that has passed is not asked for again. */
function taskAgain(task: SubmitTaskRequest, idempotencyKey: string, nowMs: number): SubmitTaskRequest {
  const again = clone(SubmitTaskRequestSchema, task);
  again.idempotencyKey = idempotencyKey;
  if (again.deadline && timestampMs(again.deadline) <= nowMs) delete again.deadline;
  return again;
}
