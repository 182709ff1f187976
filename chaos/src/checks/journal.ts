import type { Figures } from "../figures.ts";
import type { Acknowledged } from "../load/ledger.ts";
import { scenarios } from "../load/scenarios.ts";
import type { Violations } from "../violations.ts";
import type { StoredRecord } from "./stored-record.ts";

/** What is known of a stage while its journal is read. */
interface StageLife {
  /** The attempt under way. */
  dispatchId: string;
  isReceived: boolean;
  isCompleted: boolean;
}

/**
 * What one journal must be: every answer counts once, every stage completes once a round, and the end is the end. Gives
 * the attempts whose answer counted.
 */
export function checkJournal(
  { pipelineId, scenario }: Acknowledged,
  records: readonly StoredRecord[],
  { figures, violations }: { readonly figures: Figures; readonly violations: Violations },
): ReadonlySet<string> {
  const stages = new Map<number, StageLife>();
  const dispatchIds = new Set<string>();
  const receivedIds = new Set<string>();
  let rejections = 0;
  let hasEnded = false;
  const lifeOf = (stage = -1): StageLife => {
    const known = stages.get(stage) ?? { dispatchId: "", isReceived: false, isCompleted: false };
    stages.set(stage, known);
    return known;
  };
  const found = (invariant: string, { type, stage }: StoredRecord) => {
    const story = records.map((record) => `${record.type} ${record.dispatchId ?? record.stage ?? ""}`.trim());
    violations.add(invariant, `${pipelineId}: "${type}" of stage ${stage}; all: ${story.join(", ")}`);
  };

  for (const record of records) {
    figures.records[record.type] = (figures.records[record.type] ?? 0) + 1;
    if (hasEnded && record.type !== "disregarded" && record.type !== "left")
      found("nothing moves after the end", record);
    const life = lifeOf(record.stage);
    switch (record.type) {
      case "dispatched":
        if (dispatchIds.has(record.dispatchId ?? "")) found("an attempt is dispatched once", record);
        dispatchIds.add(record.dispatchId ?? "");
        Object.assign(life, { dispatchId: record.dispatchId, isReceived: false });
        figures.dispatches++;
        break;
      case "received":
        if (life.dispatchId === "" || life.isReceived) found("an answer counts at most once", record);
        life.isReceived = true;
        receivedIds.add(life.dispatchId);
        break;
      case "disregarded":
        if (receivedIds.has(record.dispatchId ?? "")) figures.fencedRepeats++;
        else figures.fencedLate++;
        break;
      case "completed":
        if (life.isCompleted) {
          figures.doubleCompletions++;
          found("no stage completes twice", record);
        }
        if (!life.isReceived) found("what completes has an answer", record);
        life.isCompleted = true;
        break;
      case "rejected":
        if (record.counts) rejections++;
        for (const stage of [record.target ?? -1, ...(record.reset ?? [])]) lifeOf(stage).isCompleted = false;
        break;
      case "pipeline-completed":
      case "pipeline-failed":
      case "aborted":
        hasEnded = true;
        break;
    }
  }
  const wanted = scenarios[scenario].rejections;
  violations.demand(
    rejections === wanted,
    "a review counts once",
    () => `${pipelineId} (${scenario}) was sent back ${rejections} times instead of ${wanted}`,
  );
  return receivedIds;
}
