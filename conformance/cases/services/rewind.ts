/** The calls that take a pipeline to another point of its history. */
import type { JsonObject } from "@bufbuild/protobuf";
import { breaks, type Case, hollow, valid } from "../case.ts";
import { minimalPipeline } from "../messages/pipeline.ts";
import { missing } from "../missing.ts";
import { epoch, startedAt } from "../parts.ts";

const commits = {
  one: "1111111111111111111111111111111111111111",
  two: "2222222222222222222222222222222222222222",
};

const transition: JsonObject = {
  revision: "17",
  at: startedAt,
  stageId: "implement",
  dispatchId: "p-1/implement/1",
  fromStatus: "DISPATCHED",
  toStatus: "COMPLETED",
  commit: commits.one,
  abandoned: true,
  rewoundTo: "4",
  by: "ada",
  reason: "a wrong turn",
  attemptNumber: 2,
};

const stage: JsonObject = {
  stageId: "review",
  statusNow: "STAGE_STATUS_COMPLETED",
  statusThen: "STAGE_STATUS_DISPATCHED",
  attemptNow: 2,
  attemptThen: 1,
  sentAnew: true,
};

const branch: JsonObject = {
  branch: "baton/p-1/implement/2",
  commitNow: commits.two,
  commitThen: commits.one,
  keptAs: "refs/baton/abandoned/p-1/17/implement/2",
  givenUp: [{ commit: commits.two, subject: "What the agent of p-1/implement/2 left" }],
  regained: [{ commit: commits.one, subject: "What the agent of p-1/implement/1 left" }],
  files: [
    { path: "slug.js", action: "ARTIFACT_ACTION_MODIFIED" },
    { path: "slug.test.js", action: "ARTIFACT_ACTION_DELETED" },
  ],
};

const risks = ["UNSPECIFIED", "UNCOMMITTED", "FOREIGN", "CHECKED_OUT"];

const preview: JsonObject = {
  fromRevision: "17",
  toRevision: "4",
  statusNow: "PIPELINE_STATUS_COMPLETED",
  statusThen: "PIPELINE_STATUS_RUNNING",
  stages: [stage, { stageId: "deploy" }],
  branches: [branch, { branch: "baton/p-1/deploy/1" }],
  atRisk: risks.map((kind) => ({
    branch: "baton/p-1/implement/1",
    kind: `RISK_KIND_${kind}`,
    detail: "two files",
  })),
  note: "the agents share a folder",
};

const asked: JsonObject = { pipelineId: "p-1", toRevision: "4" };

const again: JsonObject = {
  pipelineId: "p-1",
  stageId: "implement",
  idempotencyKey: "again-1",
  reason: "another size",
};

export const rewindCases: readonly Case[] = [
  valid("get-transitions-request", "GetTransitionsRequest", "The transitions of one stage.", {
    pipelineId: "p-1",
    stageId: "implement",
  }),
  valid("get-transitions-response", "GetTransitionsResponse", "A transition, and the smallest one.", {
    transitions: [transition, { revision: "1", at: epoch }, { revision: "2" }],
  }),
  valid("get-transitions-response-empty", "GetTransitionsResponse", "Nothing has happened yet.", {}),
  valid("preview-rewind-request", "PreviewRewindRequest", "A rewind to look at.", asked),
  valid("preview-rewind-response", "PreviewRewindResponse", "All that a rewind may change.", { preview }),
  valid("preview-rewind-response-empty", "PreviewRewindResponse", "A rewind that changes nothing.", {
    preview: {},
  }),
  valid("preview-rewind-response-absent", "PreviewRewindResponse", "There is nothing to look at.", {}),
  valid("rewind-pipeline-request", "RewindPipelineRequest", "A rewind that gives up work.", {
    ...asked,
    reason: "a wrong turn",
    discard: true,
    fromRevision: "17",
  }),
  valid("rewind-pipeline-response", "RewindPipelineResponse", "A rewind whose branches could not be set.", {
    pipeline: minimalPipeline,
    done: preview,
    branchProblem: '"baton/p-1/implement/2" is checked out',
  }),
  valid("rewind-pipeline-response-hollow", "RewindPipelineResponse", "A rewind that changed nothing.", {
    done: {},
  }),
  valid("rewind-pipeline-response-empty", "RewindPipelineResponse", "Nothing is returned.", {}),
  valid("rerun-pipeline-request", "RerunPipelineRequest", "A stage that gets other inputs.", {
    ...again,
    inputs: { size: "large" },
    mergeInputs: true,
    instructions: ["use the small logo"],
  }),
  valid("rerun-pipeline-request-bare", "RerunPipelineRequest", "A stage that is only run again.", again),
  valid("rerun-pipeline-request-no-inputs", "RerunPipelineRequest", "A stage that gets no inputs.", {
    ...again,
    inputs: {},
  }),
  valid("rerun-pipeline-request-longest", "RerunPipelineRequest", "As much as may be said.", {
    ...again,
    idempotencyKey: "k".repeat(256),
    instructions: Array.from({ length: 100 }, () => "do it"),
  }),
  valid("rerun-pipeline-response", "RerunPipelineResponse", "A pipeline that was there already.", {
    pipeline: minimalPipeline,
    existing: true,
  }),
  valid("rerun-pipeline-response-empty", "RerunPipelineResponse", "No pipeline.", {}),
  ...hollow("RerunPipelineResponse", {}, [["pipeline", missing.pipeline]]),
  ...breaks("RerunPipelineRequest", again, [
    ["pipeline_id", "", "string.min_len", "No pipeline is named."],
    ["stage_id", "", "string.min_len", "No stage is named."],
    ["idempotency_key", "", "string.min_len", "A call that cannot be repeated."],
    ["idempotency_key", "k".repeat(257), "string.max_len", "A key that is too long."],
    ["reason", "", "string.min_len", "Nobody says why."],
    [
      "instructions",
      Array.from({ length: 101 }, () => "do it"),
      "repeated.max_items",
      "Too much for one answer.",
    ],
  ]),
  ...breaks("GetTransitionsRequest", { pipelineId: "p-1" }, [
    ["pipeline_id", "", "string.min_len", "No pipeline is named."],
  ]),
  ...breaks("GetTransitionsResponse", { transitions: [transition] }, [
    ["transitions[0].revision", "0", "int64.gte", "A transition that led nowhere."],
    ["transitions[0].rewound_to", "-1", "int64.gte", "A rewind to before the beginning."],
    ["transitions[0].attempt_number", -1, "int32.gte", "An attempt before the first."],
  ]),
  ...breaks("PreviewRewindResponse", { preview }, [
    ["preview.from_revision", "-1", "int64.gte", "A rewind from before the beginning."],
    ["preview.to_revision", "-1", "int64.gte", "A rewind to before the beginning."],
    ["preview.status_now", 99, "enum.defined_only", "A status that nobody knows."],
    ["preview.status_then", 99, "enum.defined_only", "A status that nobody knows."],
    ["preview.stages[0].stage_id", "", "string.min_len", "A stage without a name."],
    ["preview.stages[0].status_now", 99, "enum.defined_only", "A status that nobody knows."],
    ["preview.stages[0].status_then", 99, "enum.defined_only", "A status that nobody knows."],
    ["preview.stages[0].attempt_now", -1, "int32.gte", "An attempt before the first."],
    ["preview.stages[0].attempt_then", -1, "int32.gte", "An attempt before the first."],
    ["preview.branches[0].branch", "", "string.min_len", "A branch without a name."],
    ["preview.branches[0].given_up[0].commit", "", "string.min_len", "A commit without a name."],
    ["preview.branches[0].files[0].path", "", "string.min_len", "A file without a path."],
    ["preview.branches[0].files[0].action", 99, "enum.defined_only", "An action that nobody knows."],
    ["preview.at_risk[0].branch", "", "string.min_len", "Work on no branch."],
    ["preview.at_risk[0].kind", 99, "enum.defined_only", "A risk that nobody knows."],
  ]),
  ...hollow("RewindPipelineResponse", {}, [["pipeline", missing.pipeline]]),
  ...breaks("PreviewRewindRequest", asked, [
    ["pipeline_id", "", "string.min_len", "No pipeline is named."],
    ["to_revision", "0", "int64.gte", "A rewind to before the beginning."],
  ]),
  ...breaks("RewindPipelineRequest", { ...asked, reason: "a wrong turn" }, [
    ["from_revision", "-1", "int64.gte", "A revision that cannot be."],
    ["pipeline_id", "", "string.min_len", "No pipeline is named."],
    ["to_revision", "0", "int64.gte", "A rewind to before the beginning."],
    ["reason", "", "string.min_len", "Nobody says why."],
  ]),
];
