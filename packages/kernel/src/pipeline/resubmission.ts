import { encodeBinary, type SubmitTaskRequest, SubmitTaskRequestSchema } from "@baton/contract";
import type { Problem } from "../problem.ts";

/**
 * A task that comes a second time under the same idempotency key (DIS-15): the same content is the same task and gets the
 * first answer; other content is refused, because one of the two would be lost.
 */
export function judgeResubmission(first: SubmitTaskRequest, second: SubmitTaskRequest): Problem | undefined {
  if (sameBytes(encodeBinary(SubmitTaskRequestSchema, first), encodeBinary(SubmitTaskRequestSchema, second)))
    return undefined;
  return {
    code: "BATON-PIPELINE-005",
    at: "idempotency_key",
    message: `"${second.idempotencyKey}" was used for another task`,
    fix: "use a new key for a new task, and the same content for the same one",
  };
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, at) => byte === b[at]);
}
