import type { SubmitTaskRequest, Violation } from "@baton/contract";
import { whyNoName } from "@baton/kernel";
import { HubError } from "./hub-error.ts";
import type { Plan } from "./submission.ts";

/** Refuses a task with ids that cannot be names, and tells all of them. */
export function checkNames(
  { contract, idempotencyKey, labels, plan: given }: SubmitTaskRequest,
  plan: Plan,
): void {
  const violations: Violation[] = [];
  check(violations, "idempotency_key", idempotencyKey);
  check(violations, "contract.task_id", contract?.taskId ?? "");
  checkLabels(violations, labels);
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

/** Names of labels stand in filters, as `labels.NAME`. */
const labelName = /^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$/;

function checkLabels(violations: Violation[], labels: SubmitTaskRequest["labels"]): void {
  const seen = new Set<string>();
  for (const [place, { name, value }] of labels.entries()) {
    const field = `labels[${place}]`;
    if (!labelName.test(name)) {
      const message = "is a name of letters, digits, dots, hyphens and underscores";
      violations.push({ field: `${field}.name`, rule: code, message });
    }
    if (seen.has(name)) violations.push({ field: `${field}.name`, rule: code, message: "is there twice" });
    seen.add(name);
    const message = whyNoName(value);
    if (message !== undefined) violations.push({ field: `${field}.value`, rule: code, message });
  }
}

/** Where there is a place, it is that of the stage that the field is of. */
function check(violations: Violation[], name: string, text: string, place?: number): void {
  const message = whyNoName(text);
  if (message === undefined) return;
  const field = place === undefined ? name : `pipeline.stages[${place}].${name}`;
  violations.push({ field, rule: code, message });
}
