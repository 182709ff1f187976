/** Reading, steering, reviewing and explaining: calls of OrchestratorService. */
import type { JsonObject } from "@bufbuild/protobuf";
import { breaks, type Case, hollow, valid } from "../case.ts";
import { dispatchSnapshot } from "../messages/audit.ts";
import { minimalPipeline } from "../messages/pipeline.ts";
import { missing } from "../missing.ts";
import { absent, patch } from "../patch.ts";

const readingCases: readonly Case[] = [
  valid("get-pipeline-request", "GetPipelineRequest", "A pipeline to read.", { pipelineId: "p-1" }),
  valid("get-pipeline-response", "GetPipelineResponse", "The pipeline.", { pipeline: minimalPipeline }),
  valid("get-pipeline-response-empty", "GetPipelineResponse", "No pipeline.", {}),
  valid("list-pipelines-request", "ListPipelinesRequest", "A page of pipelines.", {
    pageSize: 50,
    pageToken: "after:p-1",
    filter: 'status = PIPELINE_STATUS_PAUSED AND template_id = "implement-and-review"',
    orderBy: "created_at desc",
  }),
  valid("list-pipelines-response", "ListPipelinesResponse", "Pipelines in every status.", {
    pipelines: ["UNSPECIFIED", "PENDING", "RUNNING", "PAUSED", "COMPLETED", "FAILED", "ABORTED"].map(
      (status) =>
        patch(minimalPipeline, {
          pipeline_id: `p-${status.toLowerCase()}`,
          status: `PIPELINE_STATUS_${status}`,
        }),
    ),
    nextPageToken: "after:p-aborted",
  }),
  ...breaks("GetPipelineRequest", {}, [["pipeline_id", "", "string.min_len", "No pipeline is named."]]),
  ...breaks("ListPipelinesRequest", {}, [
    ["page_size", -1, "int32.gte", "A page of fewer than no pipelines."],
  ]),
  ...hollow("GetPipelineResponse", {}, [["pipeline", missing.pipeline]]),
];

const steering: JsonObject = { pipelineId: "p-1", reason: "A person has to look" };

/** Pause, resume and abort have the same form. */
const steeringCases: readonly Case[] = ["Pause", "Resume", "Abort"].flatMap((verb) => {
  const name = verb.toLowerCase();
  return [
    valid(`${name}-pipeline-request`, `${verb}PipelineRequest`, `A pipeline to ${name}, and why.`, steering),
    valid(`${name}-pipeline-response`, `${verb}PipelineResponse`, "The pipeline.", {
      pipeline: minimalPipeline,
    }),
    valid(`${name}-pipeline-response-empty`, `${verb}PipelineResponse`, "No pipeline.", {}),
    ...breaks(`${verb}PipelineRequest`, steering, [
      ["pipeline_id", "", "string.min_len", "No pipeline is named."],
      ["reason", "", "string.min_len", `To ${name} a pipeline needs a reason.`],
    ]),
    ...hollow(`${verb}PipelineResponse`, {}, [["pipeline", missing.pipeline]]),
  ];
});

const review: JsonObject = {
  pipelineId: "p-1",
  stageId: "implement",
  dispatchId: "dispatch-1",
  reason: "I read it all",
  approval: {},
};

const reviewingCases: readonly Case[] = [
  valid(
    "review-stage-request-approval",
    "ReviewStageRequest",
    "The arm that is chosen is an empty message.",
    review,
  ),
  valid(
    "review-stage-request-rejection",
    "ReviewStageRequest",
    "The work goes back, with every field set.",
    patch(review, {
      approval: absent,
      rejection: { rewindTargetStage: "design", instructions: ["Think again"], unfixable: true },
      reviewerPackId: "code-reviewer",
      reviewerInstanceId: "code-reviewer-1",
    }),
  ),
  valid(
    "review-stage-request-rejection-hollow",
    "ReviewStageRequest",
    "The work goes back to the stage under review, without a word.",
    patch(review, { approval: absent, rejection: {} }),
  ),
  valid("review-stage-response", "ReviewStageResponse", "The decision is recorded.", {
    pipeline: minimalPipeline,
  }),
  valid("review-stage-response-empty", "ReviewStageResponse", "No pipeline.", {}),
  ...breaks("ReviewStageRequest", review, [
    ["pipeline_id", "", "string.min_len", "No pipeline is named."],
    ["stage_id", "", "string.min_len", "No stage is named."],
    ["dispatch_id", "", "string.min_len", "The attempt that was looked at is not named."],
    ["reason", "", "string.min_len", "A decision needs a reason."],
    ["approval", absent, "required", "A review without a verdict.", { at: "verdict" }],
  ]),
  ...hollow("ReviewStageResponse", {}, [["pipeline", missing.pipeline]]),
];

const explainingCases: readonly Case[] = [
  valid("explain-dispatch-request", "ExplainDispatchRequest", "A dispatch to explain.", {
    dispatchId: "dispatch-1",
  }),
  valid("explain-dispatch-response", "ExplainDispatchResponse", "Why it went where it went.", {
    snapshot: dispatchSnapshot,
    explanation: "senior-ts-dev-1 was the least busy of two",
  }),
  valid("explain-dispatch-response-hollow", "ExplainDispatchResponse", "Nothing was known.", {
    snapshot: {},
  }),
  valid("explain-dispatch-response-empty", "ExplainDispatchResponse", "There is nothing to explain.", {}),
  ...breaks("ExplainDispatchRequest", {}, [["dispatch_id", "", "string.min_len", "No dispatch is named."]]),
];

export const orchestratorCases: readonly Case[] = [
  ...readingCases,
  ...steeringCases,
  ...reviewingCases,
  ...explainingCases,
];
