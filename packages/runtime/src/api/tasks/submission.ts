import {
  FailureStrategy,
  type Governance,
  type Pipeline,
  type PipelinePolicy,
  PipelinePolicySchema,
  type Stage,
  StageSchema,
  type SubmitTaskRequest,
} from "@baton/contract";
import {
  explainMissingRoute,
  matchRoute,
  type PipelineInput,
  type PipelinePlan,
  type PipelineTemplate,
  type RoutingPolicy,
  replay,
  withTaskBudget,
} from "@baton/kernel";
import { create } from "@bufbuild/protobuf";
import { pipelineIdFor } from "../../engine/pipeline-id.ts";
import type { Caller } from "../../ports/caller.ts";
import { HubError } from "../../ports/hub-error.ts";
import { pipelineView } from "../../views/pipeline-view.ts";
import { taskDigestOf } from "../sap/task-digest.ts";

/** The stages to run: from a template, of one task type, or submitted with the task. */
export interface Plan {
  readonly templateId: string;
  readonly name: string;
  readonly stages: readonly Stage[];
  readonly policy: PipelinePolicy | undefined;
  /** Set once it is accepted. */
  readonly plan?: PipelinePlan | undefined;
}

/** The policy of a plan with the task's failure strategy (A §4.2). */
export function policyFor(
  { failureStrategy }: SubmitTaskRequest,
  policy: PipelinePolicy | undefined,
): PipelinePolicy | undefined {
  if (failureStrategy === FailureStrategy.UNSPECIFIED) return policy;
  return { ...(policy ?? create(PipelinePolicySchema)), failureStrategy };
}

/** For a resubmitted task: its plan was decided before. */
export const noPlan: Plan = { templateId: "", name: "", stages: [], policy: undefined };

export function planOf(request: SubmitTaskRequest, templates: ReadonlyMap<string, PipelineTemplate>): Plan {
  const { plan, contract, timeout, governance } = request;
  const title = contract?.title ?? "";
  if (timeout && plan.case !== "taskType") throw timeoutOfStages();
  if (governance && plan.case !== "taskType") refuseOfStages(governance);
  switch (plan.case) {
    case "templateId": {
      const template = templates.get(plan.value);
      if (!template) throw unknownTemplate(plan.value, [...templates.keys()]);
      return { ...template, name: title || template.name };
    }
    case "taskType": {
      const stage = create(StageSchema, {
        stageId: plan.value,
        stageName: plan.value,
        taskType: plan.value,
        config: {
          ...{ required: true, packId: governance?.packId ?? "" },
          ...(timeout && { timeout }),
          ...(governance?.outputSchema && { outputSchema: governance.outputSchema }),
        },
      });
      return { templateId: "", name: title || plan.value, stages: [stage], policy: undefined };
    }
    case "pipeline": {
      const { name, stages, policy } = plan.value;
      return { templateId: "", name: name || title, stages, policy };
    }
    default:
      throw new HubError("invalid", "BATON-SUBMIT-002", "the task has no plan", {
        fix: "set template_id, task_type or pipeline",
      });
  }
}

function timeoutOfStages(): HubError {
  const message = "a template or pipeline states the timeout of each stage itself";
  return new HubError("invalid", "BATON-SUBMIT-004", message, {
    fix: "set config.timeout of its stages, or use deadline for the whole; timeout is for a task that names a type",
    violations: [{ field: "timeout", rule: "BATON-SUBMIT-004", message }],
  });
}

/** A template or pipeline has these per stage. */
function refuseOfStages({ packId, outputSchema }: Governance): void {
  const field = packId !== "" ? "pack_id" : outputSchema ? "output_schema" : undefined;
  if (field === undefined) return;
  const message = `a template or pipeline states the ${field} of each stage itself`;
  throw new HubError("invalid", "BATON-SUBMIT-004", message, {
    fix: `set config.${field} of its stages, or submit a task that names a type`,
    violations: [{ field: `governance.${field}`, rule: "BATON-SUBMIT-004", message }],
  });
}

function unknownTemplate(templateId: string, known: readonly string[]): HubError {
  const message = `there is no template "${templateId}"`;
  const templates =
    known.length > 0 ? `use one of: ${known.toSorted().join(", ")}` : "give the hub templates";
  return new HubError("invalid", "BATON-SUBMIT-001", message, {
    fix: `${templates}; a task for one agent names its type instead (baton run --task-type)`,
    violations: [{ field: "template_id", rule: "BATON-SUBMIT-001", message }],
  });
}

export function submitInput(
  { tenantId, id, kind, keyId, parentSpanId }: Caller,
  task: SubmitTaskRequest,
  plan: Plan,
  traceId: string,
  rootCommit?: string,
): Extract<PipelineInput, { type: "submit" }> {
  const taskDigest = taskDigestOf(task);
  return {
    type: "submit",
    ...(taskDigest !== undefined && { taskDigest }),
    pipelineId: pipelineIdFor(tenantId, task.idempotencyKey),
    tenantId,
    traceId,
    ...(parentSpanId !== undefined && { parentSpanId }),
    ...plan,
    policy: withTaskBudget(plan.policy, task.budget),
    task,
    ...(rootCommit !== undefined && { rootCommit }),
    by: { kind, id, ...(keyId !== undefined && { keyId }) },
  };
}

/** The pipeline that a submission would create, before anything happens to it. */
export function dryRun(
  input: Extract<PipelineInput, { type: "submit" }>,
  nowMs: number,
  policy: RoutingPolicy,
): Pipeline {
  const { type: _, by: _by, ...content } = input;
  const state = replay([{ type: "created", ...content, atMs: nowMs }]);
  if (!state) throw new Error("a planned submission creates a pipeline");
  const view = pipelineView(state, { withResults: false });
  // The same text as in the run itself.
  for (const stage of view.stages)
    if (!matchRoute(stage.taskType, policy))
      stage.waitingFor = `an agent: ${explainMissingRoute(stage.taskType, policy).reason}`;
  return view;
}
