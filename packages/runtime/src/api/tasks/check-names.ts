import type { SubmitTaskRequest, Violation } from "@baton/contract";
import { nameFault } from "@baton/kernel";
import { HubError } from "../../ports/hub-error.ts";
import type { Plan } from "./submission.ts";

/** Rejects a task with invalid names, with all violations. */
export function checkNames(
  { contract, idempotencyKey, labels, plan: requestPlan }: SubmitTaskRequest,
  plan: Plan,
): void {
  const violations: Violation[] = [];
  check(violations, "idempotency_key", idempotencyKey);
  check(violations, "contract.task_id", contract?.taskId ?? "");
  noteLabels(violations, labels);
  if (requestPlan.case === "taskType") check(violations, "task_type", requestPlan.value);
  if (requestPlan.case === "pipeline") {
    for (const [index, { stageId, taskType }] of plan.stages.entries()) {
      check(violations, "stage_id", stageId, index);
      check(violations, "task_type", taskType, index);
    }
  }
  refuse(violations);
}

/** Rejects labels with invalid names or values. */
export function checkLabels(labels: SubmitTaskRequest["labels"]): void {
  const violations: Violation[] = [];
  noteLabels(violations, labels);
  refuse(violations);
}

function refuse(violations: readonly Violation[]): void {
  const [first] = violations;
  if (first === undefined) return;
  throw new HubError("invalid", code, `${first.field} ${first.message}`, {
    ...{ fix: fixOf(first), violations },
  });
}

const code = "BATON-SUBMIT-003";

const [twice, invalidLabel] = ["is repeated", "is a name of letters, digits, dots, hyphens and underscores"];

function fixOf({ message }: Violation): string {
  if (message === twice) return "remove one of them";
  if (message === invalidLabel)
    return "start and end it with a letter or a digit, such as team or cost-center";
  return "use up to 256 visible characters, without surrounding blanks";
}

/** Label names appear in filters, as `labels.NAME`. */
const labelName = /^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$/;

function noteLabels(violations: Violation[], labels: SubmitTaskRequest["labels"]): void {
  const seen = new Set<string>();
  for (const [index, { name, value }] of labels.entries()) {
    const field = `labels[${index}]`;
    if (!labelName.test(name)) {
      violations.push({ field: `${field}.name`, rule: code, message: invalidLabel });
    }
    if (seen.has(name)) violations.push({ field: `${field}.name`, rule: code, message: twice });
    seen.add(name);
    const message = nameFault(value);
    if (message !== undefined) violations.push({ field: `${field}.value`, rule: code, message });
  }
}

/** `index` is the stage of the field. */
function check(violations: Violation[], name: string, text: string, index?: number): void {
  const message = nameFault(text);
  if (message === undefined) return;
  const field = index === undefined ? name : `pipeline.stages[${index}].${name}`;
  violations.push({ field, rule: code, message });
}
