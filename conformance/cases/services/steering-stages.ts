/** Changes of a run under way by a person: ChangeLimits, LabelPipeline, SkipStage, OverrideStage and CancelStage of OrchestratorService. */
import type { JsonObject } from "@bufbuild/protobuf";
import { breaks, type Case, hollow, valid } from "../case.ts";
import { minimalPipeline } from "../messages/pipeline.ts";
import { missing } from "../missing.ts";
import { deadline, epoch, ofLength } from "../parts.ts";
import { absent, patch } from "../patch.ts";

const noPipeline = ["pipeline_id", "", "string.min_len", "No pipeline is named."] as const;
const noStage = ["stage_id", "", "string.min_len", "No stage is named."] as const;
const noReason = ["reason", "", "string.min_len", "A change of a run needs a reason."] as const;

const responseCases: readonly Case[] = [
  "ChangeLimits",
  "LabelPipeline",
  "SkipStage",
  "OverrideStage",
  "CancelStage",
].flatMap((method) => {
  const type = `${method}Response`;
  const name = type.replace(/([a-z])([A-Z])/g, "$1-$2").toLowerCase();
  return [
    valid(name, type, "The pipeline after the change.", { pipeline: minimalPipeline }),
    valid(`${name}-empty`, type, "No pipeline.", {}),
    ...hollow(type, {}, [["pipeline", missing.pipeline]]),
  ];
});

const limits: JsonObject = { pipelineId: "p-1", reason: "The tests take longer than planned" };

const limitsCases: readonly Case[] = [
  valid("change-limits-request", "ChangeLimitsRequest", "A new budget and a new deadline.", {
    ...limits,
    budget: { maxTokens: "2000000", maxCostMicroUsd: "9000000", maxSteps: 800 },
    deadline,
  }),
  valid(
    "change-limits-request-hollow",
    "ChangeLimitsRequest",
    "A budget and a deadline with nothing in them.",
    {
      ...limits,
      budget: {},
      deadline: epoch,
    },
  ),
  valid("change-limits-request-minimal", "ChangeLimitsRequest", "Neither limit is stated.", limits),
  ...breaks("ChangeLimitsRequest", limits, [noPipeline, noReason]),
];

const label: JsonObject = { name: "eval-result", value: "passed" };
const labels: JsonObject = { pipelineId: "p-1", labels: [label] };

const manyLabels = (count: number): JsonObject[] =>
  Array.from({ length: count }, (_, index) => ({ ...label, name: `label-${index}` }));

const labelCases: readonly Case[] = [
  valid("label-pipeline-request", "LabelPipelineRequest", "One label is set, another one removed.", {
    ...labels,
    labels: [label, { name: "draft" }],
  }),
  valid("label-pipeline-request-most", "LabelPipelineRequest", "As many labels as a run may have.", {
    ...labels,
    labels: manyLabels(16),
  }),
  ...breaks("LabelPipelineRequest", labels, [
    noPipeline,
    ["labels", [], "repeated.min_items", "No label is given."],
    ["labels", manyLabels(17), "repeated.max_items", "More labels than a run may have."],
    [
      "labels",
      [{ ...label, name: "" }],
      "string.min_len",
      "A label without a name.",
      { at: "labels[0].name" },
    ],
  ]),
];

const stage: JsonObject = { pipelineId: "p-1", stageId: "implement", reason: "It was done by hand" };

/** Skip and cancel have the same form. */
const skipAndCancelCases: readonly Case[] = ["Skip", "Cancel"].flatMap((verb) => {
  const name = verb.toLowerCase();
  const type = `${verb}StageRequest`;
  return [
    valid(`${name}-stage-request`, type, `A stage to ${name}, and why.`, stage),
    ...breaks(type, stage, [noPipeline, noStage, noReason]),
  ];
});

const accepted = patch(stage, { accepted: {} });
const provided = patch(stage, { provided: { summary: "Attempts are limited" } });
const artifacts = (count: number): JsonObject[] =>
  Array.from({ length: count }, (_, index) => ({ path: `src/file-${index}.ts` }));

const overrideCases: readonly Case[] = [
  valid(
    "override-stage-request-accepted",
    "OverrideStageRequest",
    "The result of the last attempt is accepted: the arm is an empty message.",
    accepted,
  ),
  valid(
    "override-stage-request-provided",
    "OverrideStageRequest",
    "A person provides the result, with every field set.",
    patch(provided, {
      "provided.commit_sha": "9fceb02d0ae598e95dc970b74767f19372d61af8",
      "provided.artifacts": [{ path: "src/login-limit.ts", action: "ARTIFACT_ACTION_CREATED" }],
      "provided.context_out": { risksIdentified: ["A locked account annoys its owner"] },
      "provided.data": { limit: 5 },
    }),
  ),
  valid(
    "override-stage-request-provided-minimal",
    "OverrideStageRequest",
    "A person provides nothing but a summary.",
    provided,
  ),
  valid(
    "override-stage-request-provided-hollow-parts",
    "OverrideStageRequest",
    "Sub-messages of a provided result that are there but empty.",
    patch(provided, { "provided.context_out": {}, "provided.data": {} }),
  ),
  valid(
    "override-stage-request-at-its-limits",
    "OverrideStageRequest",
    "The longest summary and commit, and the most artifacts.",
    patch(stage, {
      provided: { summary: ofLength(8192), commitSha: ofLength(128, "a"), artifacts: artifacts(500) },
    }),
  ),
  ...breaks("OverrideStageRequest", accepted, [
    noPipeline,
    noStage,
    noReason,
    ["accepted", absent, "required", "An override without a result.", { at: "result" }],
  ]),
  ...breaks("OverrideStageRequest", provided, [
    ["provided.summary", "", "string.min_len", "A provided result needs a summary."],
    ["provided.summary", ofLength(8193), "string.max_len", "A summary that is one character too long."],
    ["provided.commit_sha", ofLength(129, "a"), "string.max_len", "A commit that is one character too long."],
    ["provided.artifacts", artifacts(501), "repeated.max_items", "One artifact too many."],
  ]),
  ...hollow("OverrideStageRequest", stage, [["provided", missing.providedResult]]),
];

export const steeringStagesCases: readonly Case[] = [
  ...responseCases,
  ...limitsCases,
  ...labelCases,
  ...skipAndCancelCases,
  ...overrideCases,
];
