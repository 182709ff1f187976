/** Reads a Task from a body or a value, and reports everything that is wrong with it at once. */
import { ContractError, parseJson } from "@baton/contract";
import type { SapViolation } from "./acknowledgement.ts";
import { sapLimits } from "./limits.ts";
import { readTimestamp } from "./scalars.ts";
import { type Task, TaskSchema } from "./task.ts";
import { violation, violationsOf } from "./violations.ts";

export type TaskReading =
  | { readonly ok: true; readonly task: Task }
  | {
      readonly ok: false;
      readonly violations: readonly SapViolation[];
      /** Ids that can be read all the same, so that the refusal can be correlated. */
      readonly taskId?: string;
      readonly correlationId?: string;
    };

/** The bytes of a body. A duplicate key, a value that is too deep and a body that is too large are refused. */
export function readTaskText(body: string | Uint8Array, nowMs: number): TaskReading {
  try {
    return readTask(parseJson("the task", body, jsonLimits), nowMs);
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
    const rule = error.code === "BATON-CONTRACT-002" ? "json" : "size";
    return { ok: false, violations: [violation("", rule, error.message, error.fix)] };
  }
}

const jsonLimits = {
  maxBytes: sapLimits.taskBytes,
  maxDepth: sapLimits.depth,
  maxElements: sapLimits.elements,
};

/** A parsed value, which is returned as it is: unknown fields stay. */
export function readTask(given: unknown, nowMs: number): TaskReading {
  const read = TaskSchema.safeParse(given);
  const violations = [
    ...(read.success ? [] : violationsOf(read.error, given)),
    ...impossibleTimes(given, nowMs),
  ];
  // The given value, because a parser would drop members such as `__proto__`.
  if (read.success && violations.length === 0) return { ok: true, task: given as Task };
  return { ok: false, violations: violations.slice(0, sapLimits.violations), ...idsOf(given) };
}

/** Of times that are times: a deadline before the task was issued, and a task from the future. */
function impossibleTimes(given: unknown, nowMs: number): readonly SapViolation[] {
  const issuedAt = readTimestamp(memberOf(given, "issuedAt"));
  const deadline = readTimestamp(memberOf(memberOf(given, "telemetry"), "deadline"));
  if (issuedAt === undefined) return [];
  const found: SapViolation[] = [];
  if (issuedAt > nowMs + sapLimits.issuedAheadMs) {
    const fix = "write when the task was issued, and check the clock of its issuer";
    found.push(violation("issuedAt", "order", "is more than an hour ahead of the hub's clock", fix));
  }
  if (deadline !== undefined && deadline <= issuedAt) {
    const message = "is not after issuedAt";
    found.push(violation("telemetry.deadline", "order", message, "write a time after issuedAt"));
  }
  return found;
}

function idsOf(given: unknown): { readonly taskId?: string; readonly correlationId?: string } {
  const { taskId, correlationId } = TaskSchema.shape;
  const task = taskId.safeParse(memberOf(given, "taskId"));
  const correlation = correlationId.safeParse(memberOf(given, "correlationId"));
  return {
    ...(task.success && { taskId: task.data }),
    ...(correlation.success && { correlationId: correlation.data }),
  };
}

function memberOf(given: unknown, name: string): unknown {
  return typeof given === "object" && given !== null && Object.hasOwn(given, name)
    ? Reflect.get(given, name)
    : undefined;
}
