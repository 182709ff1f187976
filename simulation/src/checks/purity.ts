import type { Decision, PipelineRecord, PipelineState } from "../kernel.ts";
import { demand } from "../violation.ts";
import { difference } from "./difference.ts";

/** A decision is a function of its arguments: made twice it is the same, and it changes nothing it was given. */
export function decideTwice(before: PipelineState | undefined, decide: () => Decision): Decision {
  if (before) freeze({ ...before, plan: undefined });
  const decision = decide();
  const found = difference(decision, decide());
  demand(
    found === undefined,
    "a decision is a function of its arguments",
    () => `twice it differs at ${found}`,
  );
  return decision;
}

/** Nobody changes a record once it is stored: an attempt to do so throws. */
export function freezeRecords(records: readonly PipelineRecord[]): void {
  for (const record of records) freeze(record);
}

function freeze(value: unknown): void {
  if (typeof value !== "object" || value === null || Object.isFrozen(value) || ArrayBuffer.isView(value))
    return;
  Object.freeze(value);
  for (const item of value instanceof Map ? value.values() : Object.values(value)) freeze(item);
}
