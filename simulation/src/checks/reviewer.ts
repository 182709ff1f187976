import { sentOf } from "../kernel.ts";
import { demand } from "../violation.ts";
import type { Step } from "./step.ts";

/** Nobody judges their own work, nor that of another instance of the same pack. */
export function checkReviewer({ input, before, records }: Step): void {
  if (input.type !== "review" || records.length === 0) return;
  const stage = before?.stages[before.plan.indexOf.get(input.stageId) ?? -1];
  const author = stage && sentOf(stage)?.choice;
  const { kind, id, packId } = input.by;
  demand(
    id !== author?.instanceId && (kind !== "agent" || (packId !== undefined && packId !== author?.packId)),
    "nobody reviews their own work",
    () => `${id} of ${packId} reviewed the work of ${author?.instanceId}`,
  );
}
