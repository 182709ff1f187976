import type { Nack, SapErrorCode, SapViolation } from "@baton/protocols/sap";
import { formatTimestamp, sapVersion } from "@baton/protocols/sap";
import { HubError, type HubErrorKind } from "../../ports/hub-error.ts";

/** Codes of refusals of governed tasks. */
export type SapRefusalCode =
  /** The task breaks rules of SAP. */
  | "BATON-SAP-001"
  /** The taskId was used for another task. */
  | "BATON-SAP-002"
  /** No route leads to the capability or the agent. */
  | "BATON-SAP-003"
  /** The deadline has passed. */
  | "BATON-SAP-004"
  /** An attachment cannot be read, or has another digest. */
  | "BATON-SAP-005"
  /** There is no task with this taskId. */
  | "BATON-SAP-006"
  /** The header X-Correlation-Id differs from the task. */
  | "BATON-SAP-007";

export interface Refusal {
  readonly code: SapErrorCode;
  readonly id: SapRefusalCode | (string & {});
  readonly message: string;
  readonly fix: string;
  readonly violations?: readonly SapViolation[];
  readonly retryAfterMs?: number | undefined;
}

/** The ids of a task, as far as they are known. */
export interface TaskIds {
  readonly taskId?: string | undefined;
  readonly correlationId?: string | undefined;
}

export interface NackMaker {
  readonly uuid: () => string;
  readonly nowMs: () => number;
}

export function nack({ uuid, nowMs }: NackMaker, ids: TaskIds, refusal: Refusal): Nack {
  const { code, id, message, fix, violations = [], retryAfterMs } = refusal;
  return {
    protocolVersion: sapVersion,
    kind: "nack",
    messageId: uuid(),
    ...(ids.taskId !== undefined && { taskId: ids.taskId }),
    ...(ids.correlationId !== undefined && { correlationId: ids.correlationId }),
    rejectedAt: formatTimestamp(nowMs()),
    error: {
      code,
      message,
      details: {
        ...{ code: id, fix },
        ...(violations.length > 0 && { violations: [...violations] }),
        ...(retryAfterMs !== undefined && { retryAfterMs }),
      },
    },
  };
}

const codes: Readonly<Record<HubErrorKind, SapErrorCode>> = {
  invalid: "INVALID_TASK",
  "not-found": "NOT_FOUND",
  precondition: "UNPROCESSABLE",
  exists: "INVALID_TASK",
  denied: "FORBIDDEN",
  exhausted: "RATE_LIMIT",
  unavailable: "INTERNAL",
  internal: "INTERNAL",
};

/** An error of a call of the hub. Errors of other kinds are mistakes of the hub, and are thrown again. */
export function refusalOf(error: unknown): Refusal {
  if (!(error instanceof HubError)) throw error;
  const { kind, code, message, fix, violations, retryAfterMs } = error;
  return {
    ...{ code: codes[kind], id: code, message, fix, retryAfterMs },
    violations: violations.map(({ field, rule, message }) => ({ path: pathIn(field), rule, message, fix })),
  };
}

/** Where fields of the contract are in a Task; the longest name first. */
const paths: readonly (readonly [field: string, path: string])[] = [
  ["governance.output_schema", "outputContract.schema"],
  ["governance.output_format", "outputContract.format"],
  ["governance.pack_id", "target.agentId"],
  ["governance.reply_to", "replyTo.endpoint"],
  ["reply_to[0]", "replyTo.endpoint"],
  ["reply_to", "replyTo.endpoint"],
  ["governance.issuer", "issuer"],
  ["governance.cache_policy", "constitutionalContext.cachePolicy"],
  ["governance.territory", "constitutionalContext.territory"],
  ["governance.principles", "constitutionalContext.principles"],
  ["governance.constraints", "constitutionalContext.constraints"],
  ["governance.pressure", "constitutionalContext.pressure"],
  ["contract.acceptance_criteria", "constitutionalContext.objectives"],
  ["contract.definition_of_done", "constitutionalContext.constraints"],
  ["contract.task_id", "taskId"],
  ["idempotency_key", "taskId"],
  ["task_type", "target.capability"],
  ["template_id", "target.capability"],
  ["deadline", "telemetry.deadline"],
  ["timeout", "telemetry.budget.seconds"],
  ["budget", "telemetry.budget"],
  ["priority", "telemetry.priority"],
  ["inputs", "payload"],
  ["refs", "constitutionalContext.references"],
];

function pathIn(field: string): string {
  // The schema of a single stage is the schema of the task.
  const own = field.replace(/^stages\[0\]\.config\.output_schema/, "governance.output_schema");
  const found = paths.find(
    ([name]) => own === name || own.startsWith(`${name}.`) || own.startsWith(`${name}[`),
  );
  return found ? `${found[1]}${own.slice(found[0].length)}` : field;
}
