import type { SubmitTaskRequest, Violation } from "@baton/contract";
import { whyNoName } from "@baton/kernel";
import { HubError } from "./hub-error.ts";
import type { Plan } from "./submission.ts";

/** Refuses a task with ids that cannot be names, and tells all of them. */
export function checkNames({ contract, idempotencyKey, plan: given }: SubmitTaskRequest, plan: Plan): void {
  const violations: Violation[] = [];
  check(violations, "idempotency_key", idempotencyKey);
  check(violations, "contract.task_id", contract?.taskId ?? "");
  if (given.case === "taskType") check(violations, "task_type", given.value);
  if (given.case === "pipeline") {
    for (const [place, { stageId, taskType }] of plan.stages.entries()) {
      check(violations, "stage_id", stageId, place);
      check(violations, "task_type", taskType, place);
    }
  }
  const [first] = violations;
  if (first === undefined) return;
  throw new HubError("invalid", code, `${first.field} ${first.message}`, {
    fix: "use up to 256 characters that can be seen, without blanks around them",
    violations,
  });
}

const code = "BATON-SUBMIT-003";

/** Where there is a place, it is that of the stage that the field is of. */
function check(violations: Violation[], name: string, text: string, place?: number): void {
  const message = whyNoName(text);
  if (message === undefined) return;
  const field = place === undefined ? name : `pipeline.stages[${place}].${name}`;
  violations.push({ field, rule: code, message });
}
