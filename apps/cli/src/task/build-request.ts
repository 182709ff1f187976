import { createHash, randomUUID } from "node:crypto";
import {
  ContractSchema,
  type SubmitTaskRequest,
  SubmitTaskRequestSchema,
  type Violation,
  validate,
} from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { CliError } from "../errors/cli-error.ts";
import { fileError, type Named, refuseFile } from "./file-as-template.ts";
import type { Positions } from "./positions.ts";
import { readTaskFile } from "./read-task-file.ts";
import { setBounds } from "./set-bounds.ts";
import { setLimits } from "./set-limits.ts";
import { setWork } from "./set-work.ts";
import type { TaskOptions } from "./task-options.ts";

const fields = "docs/reference/contract.md lists every field of SubmitTaskRequest";

/** Builds the request from the file, the options, which override it, and generated ids. */
export function buildRequest(template: string | undefined, options: TaskOptions): SubmitTaskRequest {
  const named = namedBy(template, options);
  if (named !== undefined) refuseFile(named);
  const file = options.file === undefined ? undefined : readTaskFile(options.file);
  const request = file?.request ?? create(SubmitTaskRequestSchema);
  choosePlan(request, template, options);
  setWork(request, options);
  setLimits(request, options);
  setBounds(request, options);
  setIds(request, options);
  const [first, ...more] = validate(SubmitTaskRequestSchema, request, { nowMs: Date.now() });
  if (first === undefined) return request;
  const meant = named !== undefined && file === undefined ? fileError(named) : undefined;
  if (meant !== undefined) throw meant;
  const violations = [first, ...more].map((violation) =>
    file === undefined ? byOption(violation) : atPosition(violation, file.positions),
  );
  const [problem, remedy] = [first, ...more].every(isMissing)
    ? ["the task is not complete", "add what is missing"]
    : ["the task cannot be taken as it is", "change the named places"];
  throw new CliError(file === undefined ? "BATON-CLI-001" : "BATON-CLI-002", problem, {
    violations,
    fix: `${remedy}; ${file === undefined ? "see baton run --help" : fields}`,
  });
}

function namedBy(template: string | undefined, { taskType }: TaskOptions): Named | undefined {
  if (template !== undefined) return { by: "TEMPLATE", name: template };
  return taskType === undefined ? undefined : { by: "--task-type", name: taskType };
}

/** Names the position in the file. */
function atPosition(violation: Violation, positions: Positions): Violation {
  const { field, message } = violation;
  const description =
    field === "plan" ? "template_id, task_type or pipeline is needed" : `${field} ${message}`;
  return { ...violation, field: positions(field), message: description };
}

/** Names the option, and what it needs when it is missing. */
function byOption(violation: Violation): Violation {
  const { field, message } = violation;
  const known = optionFor[field];
  if (known === undefined) return violation;
  const [option, wanted] = known;
  return { ...violation, field: option, message: isMissing(violation) ? wanted : message };
}

function isMissing({ rule }: Violation): boolean {
  return ["required", "string.min_len", "repeated.min_items"].includes(rule);
}

const optionFor: Readonly<Record<string, readonly [option: string, wanted: string]>> = {
  plan: ["TEMPLATE, --task-type or --file", "say with one of them how the task is run"],
  "contract.title": ["--title", "say in one line what is to be done"],
  "contract.acceptance_criteria": ["--accept", "say at least once what must be true of the result"],
  deadline: ["--deadline", "say when a result is of no use any more"],
  "workspace.repository": ["--repository or --workspace", "say where the work happens"],
  idempotency_key: ["--key", "give a text that is not empty, or leave it out"],
};

function choosePlan(request: SubmitTaskRequest, template: string | undefined, options: TaskOptions): void {
  if (template !== undefined && options.taskType !== undefined) {
    throw new CliError("BATON-CLI-001", "a task has a template or a type, not both", {
      fix: "leave out one of them",
    });
  }
  if (template !== undefined) request.plan = { case: "templateId", value: template };
  if (options.taskType !== undefined) request.plan = { case: "taskType", value: options.taskType };
}

/** Derives the task id from the idempotency key, so that the same command with the same key is the same request. */
function setIds(request: SubmitTaskRequest, { key, taskId }: TaskOptions): void {
  request.idempotencyKey = key ?? (request.idempotencyKey || randomUUID());
  request.contract ??= create(ContractSchema);
  const derived = createHash("sha256").update(request.idempotencyKey).digest("hex").slice(0, 16);
  request.contract.taskId = taskId ?? (request.contract.taskId || `task-${derived}`);
}
