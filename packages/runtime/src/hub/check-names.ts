import type { SubmitTaskRequest } from "@baton/contract";
import { whyNoName } from "@baton/kernel";
import { HubError } from "./hub-error.ts";
import type { Plan } from "./submission.ts";

/** It is not read by people as often as the others, and programs make it from what they know. */
const longestKey = 512;

/** Refuses a task with ids that cannot be names, and tells all of them. */
export function checkNames({ contract, idempotencyKey, plan: given }: SubmitTaskRequest, plan: Plan): void {
  const stages = given.case === "pipeline" ? plan.stages : [];
  const named: readonly (readonly [field: string, text: string, longest?: number])[] = [
    ["idempotency_key", idempotencyKey, longestKey],
    ["contract.task_id", contract?.taskId ?? ""],
    ...(given.case === "taskType" ? [["task_type", given.value] as const] : []),
    ...stages.flatMap(({ stageId, taskType }, place) => [
      [`pipeline.stages[${place}].stage_id`, stageId] as const,
      [`pipeline.stages[${place}].task_type`, taskType] as const,
    ]),
  ];
  const violations = named.flatMap(([field, text, longest]) => {
    const message = whyNoName(text, longest);
    return message === undefined ? [] : [{ field, rule: code, message }];
  });
  const [first] = violations;
  if (first === undefined) return;
  throw new HubError("invalid", code, `${first.field} ${first.message}`, {
    fix: "use up to 256 characters that can be seen, without blanks around them; a key may have 512",
    violations,
  });
}

const code = "BATON-SUBMIT-003";
