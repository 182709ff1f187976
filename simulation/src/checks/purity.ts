import type { Decision, PipelineRecord, PipelineState } from "../kernel.ts";
import { invariant } from "../violation.ts";
import { difference } from "./difference.ts";

/** A decision is a pure function: repeated it gives the same result, and it changes none of its arguments. */
export function decideTwice(before: PipelineState | undefined, decide: () => Decision): Decision {
  if (before) freeze({ ...before, plan: undefined });
  const decision = decide();
  const found = difference(decision, decide());
  invariant(found === undefined, "a decision is a pure function", () => `repeated, it differs at ${found}`);
  return decision;
}

/** Makes changes of stored records throw. */
export function freezeRecords(records: readonly PipelineRecord[]): void {
  for (const record of records) freeze(record);
}

function freeze(value: unknown): void {
  if (typeof value !== "object" || value === null || Object.isFrozen(value) || ArrayBuffer.isView(value))
    return;
  Object.freeze(value);
  for (const item of value instanceof Map ? value.values() : Object.values(value)) freeze(item);
}
