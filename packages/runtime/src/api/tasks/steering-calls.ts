import {
  AbortPipelineResponseSchema,
  CancelStageResponseSchema,
  ChangeLimitsResponseSchema,
  LabelPipelineResponseSchema,
  OverrideStageResponseSchema,
  PausePipelineResponseSchema,
  type ProvidedResult,
  ResumePipelineResponseSchema,
  SkipStageResponseSchema,
} from "@baton/contract";
import { limitOf, type ProvidedWork } from "@baton/kernel";
import { create } from "@bufbuild/protobuf";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { changePipeline, type HubContext } from "../context.ts";
import type { Hub } from "../hub.ts";
import { checkLabels } from "./check-names.ts";

type SteeringCalls = Pick<
  Hub,
  | "pausePipeline"
  | "resumePipeline"
  | "abortPipeline"
  | "changeLimits"
  | "labelPipeline"
  | "skipStage"
  | "overrideStage"
  | "cancelStage"
>;

/** Interventions of a person in a running pipeline (PIP-09, PIP-10). */
export function steeringCalls(context: HubContext): SteeringCalls {
  return {
    async pausePipeline(caller, { pipelineId, reason }) {
      const pipeline = await changePipeline(context, caller, pipelineId, (by) => ({
        type: "pause",
        reason,
        by,
      }));
      return create(PausePipelineResponseSchema, { pipeline });
    },

    async resumePipeline(caller, { pipelineId, reason }) {
      const pipeline = await changePipeline(context, caller, pipelineId, (by) => ({
        type: "resume",
        reason,
        by,
      }));
      return create(ResumePipelineResponseSchema, { pipeline });
    },

    async abortPipeline(caller, { pipelineId, reason }) {
      const pipeline = await changePipeline(context, caller, pipelineId, (by) => ({
        type: "abort",
        reason,
        by,
      }));
      return create(AbortPipelineResponseSchema, { pipeline });
    },

    async changeLimits(caller, { pipelineId, reason, budget, deadline }) {
      const limits = { budget: limitOf(budget), deadlineAtMs: deadline && timestampMs(deadline) };
      const pipeline = await changePipeline(context, caller, pipelineId, (by) => ({
        ...{ type: "change-limits", reason, by },
        ...limits,
      }));
      return create(ChangeLimitsResponseSchema, { pipeline });
    },

    async labelPipeline(caller, { pipelineId, labels }) {
      checkLabels(labels);
      const pipeline = await changePipeline(context, caller, pipelineId, (by) => ({
        type: "label",
        labels,
        by,
      }));
      return create(LabelPipelineResponseSchema, { pipeline });
    },

    async skipStage(caller, { pipelineId, stageId, reason }) {
      const pipeline = await changePipeline(context, caller, pipelineId, (by) => ({
        ...{ type: "skip-stage", stageId, reason, by },
      }));
      return create(SkipStageResponseSchema, { pipeline });
    },

    async overrideStage(caller, { pipelineId, stageId, reason, result }) {
      const provided = result.case === "provided" ? providedWork(result.value) : undefined;
      const pipeline = await changePipeline(context, caller, pipelineId, (by) => ({
        ...{ type: "override-stage", stageId, provided, reason, by },
      }));
      return create(OverrideStageResponseSchema, { pipeline });
    },

    async cancelStage(caller, { pipelineId, stageId, reason }) {
      const pipeline = await changePipeline(context, caller, pipelineId, (by) => ({
        ...{ type: "cancel-stage", stageId, reason, by },
      }));
      return create(CancelStageResponseSchema, { pipeline });
    },
  };
}

function providedWork({ summary, commitSha, artifacts, contextOut, data }: ProvidedResult): ProvidedWork {
  return { summary, commitSha, artifacts, contextOut, data };
}
