import {
  type PipelinePolicy,
  PipelinePolicySchema,
  type Stage,
  type StageConfigSchema,
  StageSchema,
  type SubmitTaskRequest,
  SubmitTaskRequestSchema,
} from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import type { CacheIdentity } from "../src/governance/cache/identity.ts";
import type { PipelineInput, Rerun } from "../src/pipeline/decision/input.ts";
import type { Init } from "./init.ts";

type StageInit = Init<typeof StageConfigSchema> & {
  readonly taskType?: string;
};

/** Stages by id; by default each is required and depends on the previous one. */
export function stages(given: Readonly<Record<string, StageInit>>): Stage[] {
  const ids = Object.keys(given);
  return ids.map((stageId, position) => {
    const { taskType = "code", ...config } = given[stageId] ?? {};
    const before = ids[position - 1];
    const dependsOnStages = config.dependsOnStages ?? (before ? [before] : []);
    return create(StageSchema, { stageId, taskType, config: { required: true, ...config, dependsOnStages } });
  });
}

export function testTask(init: Init<typeof SubmitTaskRequestSchema> = {}): SubmitTaskRequest {
  return create(SubmitTaskRequestSchema, {
    idempotencyKey: "key-1",
    plan: { case: "templateId", value: "test" },
    contract: { taskId: "task-1", title: "Do it", acceptanceCriteria: ["it is done"] },
    refs: [{ uriOrLocator: "src/it.ts" }],
    ...init,
  });
}

export interface TestPipeline {
  readonly stages?: readonly Stage[];
  readonly policy?: Init<typeof PipelinePolicySchema>;
  readonly task?: Init<typeof SubmitTaskRequestSchema>;
  readonly pipelineId?: string;
  /** The submitter's key; default: none. */
  readonly keyId?: string;
  /** Where outcomes of its task are reused. */
  readonly cache?: CacheIdentity;
  /** For a rerun. */
  readonly rerun?: Rerun;
}

export function submission(pipeline: TestPipeline = {}): Extract<PipelineInput, { type: "submit" }> {
  const policy: PipelinePolicy | undefined = pipeline.policy && create(PipelinePolicySchema, pipeline.policy);
  return {
    type: "submit",
    pipelineId: pipeline.pipelineId ?? "p",
    tenantId: "acme",
    traceId: "4bf92f3577b34da6a3ce929d0e0e4736",
    templateId: "test",
    name: "Test",
    task: testTask(pipeline.task),
    stages: pipeline.stages ?? stages({ a: {} }),
    ...(pipeline.cache && { cache: pipeline.cache }),
    policy,
    ...(pipeline.rerun && { rerun: pipeline.rerun }),
    by: { kind: "human", id: "ada", ...(pipeline.keyId !== undefined && { keyId: pipeline.keyId }) },
  };
}
