import { type Spent, spendOf } from "../plan/spending.ts";
import { sentOf } from "../state/stage-state.ts";
import type { PipelineState } from "../state/state.ts";
import type { PipelineRecord } from "./record.ts";

/** What an attempt reports to have spent. */
export interface AttemptSpend {
  readonly packId: string;
  readonly spent: Spent;
  readonly atMs: number;
}

/**
 * The spending that a record makes known, for the spending of the tenant. An attempt reports once; what it does not report is
 * unknown, and not counted there.
 */
export function spendIn(before: PipelineState | undefined, record: PipelineRecord): AttemptSpend | undefined {
  if (record.type === "received") {
    const stage = before?.stages[record.stage];
    const sent = stage && sentOf(stage);
    const { usage } = record.result;
    return sent && usage && { packId: sent.choice.packId, spent: spendOf(usage), atMs: record.atMs };
  }
  if (record.type !== "disregarded" || !record.spent) return undefined;
  const held = before?.spending.held.get(record.dispatchId);
  return held && { packId: held.packId, spent: record.spent, atMs: record.atMs };
}
