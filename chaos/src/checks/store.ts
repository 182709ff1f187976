import { checkSqlite, openSqliteStore, type Store } from "@baton/runtime";
import type { Figures } from "../figures.ts";
import type { Acknowledged } from "../load/ledger.ts";
import type { Watched } from "../load/watcher.ts";
import type { Violations } from "../violations.ts";
import { checkAudit, checkChain } from "./audit.ts";
import { checkJournal } from "./journal.ts";
import { checkRuns } from "./runs.ts";
import { readRecords } from "./stored-record.ts";

export interface Told {
  readonly acknowledged: readonly Acknowledged[];
  /** The attempts that agents say they began, one for each beginning. */
  readonly runs: readonly string[];
  /** What events told of a pipeline. */
  readonly watched: (pipelineId: string) => Watched;
  readonly figures: Figures;
  readonly violations: Violations;
}

/** Everything that must hold of what is stored, read beside the hub after its last end. */
export async function checkStore(directory: string, told: Told): Promise<void> {
  const { acknowledged, figures, violations } = told;
  for (const fault of await checkSqlite(directory)) violations.add("the store is whole", fault);
  const store = await openSqliteStore({ directory, readOnly: true });
  try {
    const entries = await checkChain(store, told);
    const dispatched = new Set<string>();
    const answered = new Set<string>();
    for (const one of acknowledged) {
      const { pipelineId } = one;
      const journal = await store.journal(pipelineId);
      const row = await store.pipeline(pipelineId);
      if (!journal || !row) {
        violations.add("nothing that was acknowledged is lost", `${one.key} (${pipelineId}) is not there`);
        continue;
      }
      violations.demand(
        row.status === "COMPLETED",
        "every acknowledged pipeline ends as its scenario says",
        () => `${pipelineId} (${one.scenario}) is ${row.status}`,
      );
      if (row.ended) figures.ended++;
      const records = readRecords(journal);
      for (const { dispatchId, type } of records)
        if (type === "dispatched" && dispatchId) dispatched.add(dispatchId);
      for (const dispatchId of checkJournal(one, records, told)) answered.add(dispatchId);
      const completions = records.filter(({ type }) => type === "completed").length;
      const heard = told.watched(pipelineId).completions;
      violations.demand(
        heard === completions,
        "every completion is told once",
        () => `${pipelineId}: ${completions} completions, and ${heard} events`,
      );
      checkAudit(pipelineId, records, entries.get(pipelineId) ?? [], violations);
    }
    await checkStrangers(store, told, entries.keys());
    checkRuns(told, { dispatched, answered });
    await checkLeftovers(store, violations);
    await checkEvents(store, told);
  } finally {
    await store.close();
  }
}

/** A pipeline that nobody was told of may be there: its answer got lost. One that nobody submitted may not. */
async function checkStrangers(
  store: Store,
  { acknowledged, violations }: Told,
  ids: Iterable<string>,
): Promise<void> {
  const known = new Set(acknowledged.map(({ pipelineId }) => pipelineId));
  for (const pipelineId of ids) {
    if (pipelineId === "" || known.has(pipelineId)) continue;
    const row = await store.pipeline(pipelineId);
    violations.add(
      "every pipeline was submitted, and its taking told",
      `${pipelineId} (${row?.pipelineName})`,
    );
  }
}

/** All have ended, so nothing is left to do and nothing to ring. */
async function checkLeftovers(store: Store, violations: Violations): Promise<void> {
  for (const { id, pipelineId } of await store.outbox())
    violations.add("an ended pipeline has no commands left", `command ${id} of ${pipelineId}`);
  for (const { pipelineId, timerId } of await store.timers())
    violations.add("an ended pipeline has no timers left", `"${timerId}" of ${pipelineId}`);
}

async function checkEvents(store: Store, { figures, violations }: Told): Promise<void> {
  for (const { tenantId, eventSequence } of await store.heads()) {
    let last = 0n;
    for (;;) {
      const rows = await store.events(tenantId, last, 10_000);
      for (const { firstSequence, lastSequence } of rows) {
        violations.demand(
          firstSequence === last + 1n,
          "events have no gaps",
          () => `${tenantId}: ${firstSequence} follows ${last}`,
        );
        last = lastSequence;
      }
      if (rows.length === 0) break;
    }
    figures.events += Number(last);
    violations.demand(last === eventSequence, "events have no gaps", () => `${tenantId} ends at ${last}`);
  }
}
