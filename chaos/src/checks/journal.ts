import type { Figures } from "../figures.ts";
import type { Acknowledged } from "../load/ledger.ts";
import { scenarios } from "../load/scenarios.ts";
import type { Violations } from "../violations.ts";
import type { StoredRecord } from "./stored-record.ts";

interface StageRun {
  /** The current attempt. */
  dispatchId: string;
  isReceived: boolean;
  isCompleted: boolean;
}

/**
 * Checks one journal: every answer counts once, every stage completes once per round, and the end is final. Returns the
 * attempts whose answer counted.
 */
export function checkJournal(
  { pipelineId, scenario }: Acknowledged,
  records: readonly StoredRecord[],
  { figures, violations }: { readonly figures: Figures; readonly violations: Violations },
): ReadonlySet<string> {
  const stages = new Map<number, StageRun>();
  const dispatchIds = new Set<string>();
  const receivedIds = new Set<string>();
  let rejections = 0;
  let hasEnded = false;
  const stateOf = (stage = -1): StageRun => {
    const known = stages.get(stage) ?? { dispatchId: "", isReceived: false, isCompleted: false };
    stages.set(stage, known);
    return known;
  };
  const found = (invariant: string, { type, stage }: StoredRecord) => {
    const story = records.map((record) => `${record.type} ${record.dispatchId ?? record.stage ?? ""}`.trim());
    violations.add(invariant, `${pipelineId}: "${type}" of stage ${stage}; journal: ${story.join(", ")}`);
  };

  for (const record of records) {
    figures.records[record.type] = (figures.records[record.type] ?? 0) + 1;
    if (hasEnded && record.type !== "disregarded" && record.type !== "left")
      found("nothing moves after the end", record);
    const state = stateOf(record.stage);
    switch (record.type) {
      case "dispatched":
        if (dispatchIds.has(record.dispatchId ?? "")) found("an attempt is dispatched once", record);
        dispatchIds.add(record.dispatchId ?? "");
        Object.assign(state, { dispatchId: record.dispatchId, isReceived: false });
        figures.dispatches++;
        break;
      case "received":
        if (state.dispatchId === "" || state.isReceived) found("an answer counts at most once", record);
        state.isReceived = true;
        receivedIds.add(state.dispatchId);
        break;
      case "disregarded":
        if (receivedIds.has(record.dispatchId ?? "")) figures.fencedRepeats++;
        else figures.fencedLate++;
        break;
      case "completed":
        if (state.isCompleted) {
          figures.doubleCompletions++;
          found("no stage completes twice", record);
        }
        if (!state.isReceived) found("only answered stages complete", record);
        state.isCompleted = true;
        break;
      case "rejected":
        if (record.counts) rejections++;
        for (const stage of [record.target ?? -1, ...(record.reset ?? [])])
          stateOf(stage).isCompleted = false;
        break;
      case "pipeline-completed":
      case "pipeline-failed":
      case "aborted":
        hasEnded = true;
        break;
    }
  }
  const wanted = scenarios[scenario].rejections;
  violations.check(
    rejections === wanted,
    "a review counts once",
    () => `${pipelineId} (${scenario}) was sent back ${rejections} times instead of ${wanted}`,
  );
  return receivedIds;
}
