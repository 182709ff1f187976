import { type SubmitTaskRequest, SubmitTaskRequestSchema } from "@baton/contract";
import { equals } from "@bufbuild/protobuf";
import type { Problem } from "../problem.ts";

/**
 * A task that comes a second time under the same idempotency key (DIS-15): the same content is the same task and gets the
 * first answer; other content is refused, because one of the two would be lost.
 */
export function judgeResubmission(first: SubmitTaskRequest, second: SubmitTaskRequest): Problem | undefined {
  if (equals(SubmitTaskRequestSchema, first, second)) return undefined;
  return {
    code: "BATON-PIPELINE-005",
    at: "idempotency_key",
    message: `"${second.idempotencyKey}" was used for another task`,
    fix: "use a new key for a new task, and the same content for the same one",
  };
}
