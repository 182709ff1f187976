import { hash } from "node:crypto";
import {
  FailureStrategy,
  type PipelinePolicy,
  PipelinePolicySchema,
  type Stage,
  StageSchema,
  type SubmitTaskRequest,
} from "@baton/contract";
import { type PipelineInput, type PipelineTemplate, withTaskBudget } from "@baton/kernel";
import { create } from "@bufbuild/protobuf";
import type { Caller } from "./hub.ts";
import { HubError } from "./hub-error.ts";

/**
 * The same key of the same tenant always names the same pipeline. So two submissions with one key meet at one journal, in
 * this life of the hub or the next, and the kernel says whether they are the same task (DIS-15).
 */
export function pipelineIdFor(tenantId: string, idempotencyKey: string): string {
  const digest = hash("sha256", `${tenantId.length}:${tenantId}:${idempotencyKey}`, "buffer");
  let id = "p-";
  for (let place = 0; place < 20; place++) id += alphabet[(digest[place] ?? 0) & 31];
  return id;
}

/** Neither vowels that make words nor letters that look like digits. */
const alphabet = "0123456789bcdfghjkmnpqrstvwxyzae";

/** What is to be run: a template, one stage of a type, or the stages that came with the task. */
export interface Plan {
  readonly templateId: string;
  readonly name: string;
  readonly stages: readonly Stage[];
  readonly policy: PipelinePolicy | undefined;
}

/** The policy of a plan, with what the task itself says of failures (A §4.2). */
export function policyFor(
  { failureStrategy }: SubmitTaskRequest,
  policy: PipelinePolicy | undefined,
): PipelinePolicy | undefined {
  if (failureStrategy === FailureStrategy.UNSPECIFIED) return policy;
  return { ...(policy ?? create(PipelinePolicySchema)), failureStrategy };
}

/** For a task that was submitted before: how it is run was settled then. */
export const noPlan: Plan = { templateId: "", name: "", stages: [], policy: undefined };

export function planOf(request: SubmitTaskRequest, templates: ReadonlyMap<string, PipelineTemplate>): Plan {
  const { plan, contract, timeout } = request;
  const title = contract?.title ?? "";
  if (timeout && plan.case !== "taskType") throw timeoutOfStages();
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
        config: { required: true, ...(timeout && { timeout }) },
      });
      return { templateId: "", name: title || plan.value, stages: [stage], policy: undefined };
    }
    case "pipeline": {
      const { name, stages, policy } = plan.value;
      return { templateId: "", name: name || title, stages, policy };
    }
    default:
      throw new HubError("invalid", "BATON-SUBMIT-002", "the task does not say how it is run", {
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
  return {
    type: "submit",
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
