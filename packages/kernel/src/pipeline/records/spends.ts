import { remainderOf, type Spent, spendOf } from "../plan/spending.ts";
import type { PipelineState } from "../state/state.ts";
import type { PipelineRecord } from "./record.ts";

/** What an attempt reports to have spent. */
export interface AttemptSpend {
  readonly packId: string;
  readonly spent: Spent;
  readonly atMs: number;
}

/**
 * The spending that a record makes known, for the spending of the tenant: that of steps at once, the rest with the result.
 * What is not reported is unknown, and not counted there.
 */
export function spendIn(before: PipelineState | undefined, record: PipelineRecord): AttemptSpend | undefined {
  const reported = reportedIn(record);
  const held = reported && before?.spending.held.get(reported.dispatchId);
  if (!held) return undefined;
  const { isStep, spent } = reported;
  return {
    packId: held.packId,
    spent: isStep ? spent : remainderOf(spent, held.counted),
    atMs: record.atMs,
  };
}

interface Reported {
  readonly dispatchId: string;
  readonly spent: Spent;
  readonly isStep: boolean;
}

function reportedIn(record: PipelineRecord): Reported | undefined {
  switch (record.type) {
    case "stepped": {
      const { dispatchId, usage } = record;
      return usage && { dispatchId, spent: spendOf(usage), isStep: true };
    }
    case "received": {
      const { dispatchId, usage } = record.result;
      return usage && { dispatchId, spent: spendOf(usage), isStep: false };
    }
    case "disregarded": {
      const { dispatchId, spent } = record;
      return spent && { dispatchId, spent, isStep: false };
    }
    default:
      return undefined;
  }
}
