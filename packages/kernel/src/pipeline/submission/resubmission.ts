import { type SubmitTaskRequest, SubmitTaskRequestSchema } from "@baton/contract";
import { equals, fromJson, type JsonValue } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import type { Problem } from "../../problem.ts";
import type { Rerun } from "../decision/input.ts";
import type { PipelineState } from "../state/state.ts";

/**
 * A task submitted again under the same idempotency key (DIS-15): the same content returns the first run; other content is
 * refused, because one of the two would be lost.
 */
export function checkResubmission(first: SubmitTaskRequest, second: SubmitTaskRequest): Problem | undefined {
  if (equals(SubmitTaskRequestSchema, first, second)) return undefined;
  return {
    code: "BATON-PIPELINE-005",
    at: "idempotency_key",
    message: `"${second.idempotencyKey}" was used for another task`,
    fix: "use a new key for a new task, and the same content for the same one",
  };
}

/**
 * The same key must mean the same rerun (DIS-15). The task equals that of the origin except for its deadline, which
 * depends on the time of the call.
 */
export function checkSameRerun(state: PipelineState, again: Rerun | undefined): Problem | undefined {
  const { origin: first, edited } = state;
  if (!first && !again) return undefined;
  const same =
    first !== undefined &&
    again !== undefined &&
    first.pipelineId === again.origin.id &&
    first.stageId === again.stageId &&
    first.reason === again.reason &&
    isSameJson(edited?.inputs, again.inputs) &&
    (edited === undefined || edited.merge === again.mergeInputs) &&
    // Older records do not say.
    (first.instructions === undefined || isSameJson([...first.instructions], [...again.instructions]));
  if (same) return undefined;
  const key = state.task.idempotencyKey;
  return {
    code: "BATON-PIPELINE-005",
    at: "idempotency_key",
    message: `"${key}" was used for another task`,
    fix: "use a new key for a new task, and the same content for the same one",
  };
}

/** Ignores the order of fields. */
function isSameJson(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return equals(ValueSchema, fromJson(ValueSchema, one), fromJson(ValueSchema, other));
}
