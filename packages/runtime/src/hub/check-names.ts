import type { SubmitTaskRequest } from "@baton/contract";
import { whyNoName } from "@baton/kernel";
import { HubError } from "./hub-error.ts";
import type { Plan } from "./submission.ts";

/** Refuses a task with ids that cannot be names, and tells all of them. */
export function checkNames({ contract, idempotencyKey, plan: given }: SubmitTaskRequest, plan: Plan): void {
  const stages = given.case === "pipeline" ? plan.stages : [];
  const named: readonly (readonly [field: string, text: string])[] = [
    ["idempotency_key", idempotencyKey],
    ["contract.task_id", contract?.taskId ?? ""],
    ...(given.case === "taskType" ? [["task_type", given.value] as const] : []),
    ...stages.flatMap(({ stageId, taskType }, place) => [
      [`pipeline.stages[${place}].stage_id`, stageId] as const,
      [`pipeline.stages[${place}].task_type`, taskType] as const,
    ]),
  ];
  const violations = named.flatMap(([field, text]) => {
    const message = whyNoName(text);
    return message === undefined ? [] : [{ field, rule: code, message }];
  });
  const [first] = violations;
  if (first === undefined) return;
  throw new HubError("invalid", code, `${first.field} ${first.message}`, {
    fix: "use up to 256 characters that can be seen, without blanks around them",
    violations,
  });
}

const code = "BATON-SUBMIT-003";
