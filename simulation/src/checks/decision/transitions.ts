import { count, type Figures } from "../../figures.ts";
import { type PipelineRecord, pipelineTransitions, stageTransitions } from "../../kernel.ts";
import { invariant } from "../../violation.ts";
import type { Fold } from "./step.ts";

/** The event of the stage's table for a record. */
const stageEvents: Partial<Record<PipelineRecord["type"], string>> = {
  unblocked: "unblock",
  pruned: "prune",
  dispatched: "dispatch",
  retried: "retry",
  completed: "complete",
  failed: "exhaust",
  skipped: "skip",
};

const lifeEvents: Partial<Record<PipelineRecord["type"], string>> = {
  started: "start",
  paused: "pause",
  resumed: "resume",
  aborted: "abort",
  "pipeline-failed": "fail",
  "pipeline-completed": "complete",
};

/** Only transitions of the tables happen, and a record changes only the stages it names (A §4.5). */
export function checkTransitions({ record, before, after }: Fold, figures: Figures): void {
  // A rewind to a version is a jump; `restore.ts` checks it.
  if (!before || record.type === "restored") return;
  checkLife(record, before.life.status, after.life.status, figures);
  for (const [place, next] of after.stages.entries()) {
    const previous = before.stages[place];
    if (!previous || previous === next) continue;
    const event = eventOf(record, place, previous.status);
    invariant(
      event !== undefined || previous.status === next.status,
      "only transitions of the tables happen",
      () => `"${record.type}" took stage ${place} from ${previous.status} to ${next.status}`,
    );
    invariant(
      touches(record, place),
      "a record changes only the stages it names",
      () => `"${record.type}" changed stage ${place}`,
    );
    if (event === undefined) continue;
    const table: Readonly<Record<string, string>> = stageTransitions[previous.status];
    invariant(
      table[event] === next.status,
      "only transitions of the tables happen",
      () => `stage ${place}: ${previous.status} has no "${event}" to ${next.status}`,
    );
    count(figures.transitions, `stage ${previous.status} ${event}`);
  }
}

/** The event for one stage, unless the record leaves its status alone. */
function eventOf(record: PipelineRecord, place: number, from: string): string | undefined {
  if (record.type === "rejected") {
    if (record.target === place) return "rewind";
    return record.reset.includes(place) ? "reset" : undefined;
  }
  if (record.type === "end-withdrawn") return record.reset.includes(place) ? "reset" : undefined;
  // A retry has left the stage in DISPATCHED.
  if (record.type === "dispatched" && from === "DISPATCHED") return undefined;
  return "stage" in record && record.stage === place ? stageEvents[record.type] : undefined;
}

function touches(record: PipelineRecord, place: number): boolean {
  if (record.type === "end-withdrawn") return record.reset.includes(place);
  if (record.type !== "rejected") return "stage" in record && record.stage === place;
  return record.target === place || record.reset.includes(place) || record.edge?.stage === place;
}

function checkLife(
  record: PipelineRecord,
  from: keyof typeof pipelineTransitions,
  to: string,
  figures: Figures,
): void {
  const event = lifeEvents[record.type];
  if (event === undefined) {
    invariant(
      from === to,
      "only transitions of the tables happen",
      () => `"${record.type}" took the pipeline from ${from} to ${to}`,
    );
    return;
  }
  const table: Readonly<Record<string, string>> = pipelineTransitions[from];
  invariant(
    table[event] === to,
    "only transitions of the tables happen",
    () => `a pipeline that is ${from} has no "${event}" to ${to}`,
  );
  count(figures.transitions, `pipeline ${from} ${event}`);
}
