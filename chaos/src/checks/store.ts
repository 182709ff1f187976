import { checkSqlite, openSqliteStore, type Store } from "@baton/runtime";
import type { Figures } from "../figures.ts";
import type { Acknowledged } from "../load/ledger.ts";
import type { Watched } from "../load/watcher.ts";
import type { Violations } from "../violations.ts";
import { checkAudit, checkChain } from "./audit.ts";
import { checkJournal } from "./journal.ts";
import { checkRuns } from "./runs.ts";
import { checkSteps, type SeenStep } from "./steps.ts";
import { readRecords } from "./stored-record.ts";

export interface Observed {
  readonly acknowledged: readonly Acknowledged[];
  /** Attempts that agents began, with repetitions. */
  readonly runs: readonly string[];
  readonly steps: readonly SeenStep[];
  /** What the watcher received about a pipeline. */
  readonly watched: (pipelineId: string) => Watched;
  readonly figures: Figures;
  readonly violations: Violations;
}

/** Checks the store without the hub, after its last process has ended. */
export async function checkStore(directory: string, seen: Observed): Promise<void> {
  const { acknowledged, figures, violations } = seen;
  for (const fault of await checkSqlite(directory)) violations.add("the store is undamaged", fault);
  const store = await openSqliteStore({ directory, readOnly: true });
  try {
    const entries = await checkChain(store, seen);
    const dispatched = new Set<string>();
    const answered = new Set<string>();
    for (const one of acknowledged) {
      const { pipelineId } = one;
      const journal = await store.journal(pipelineId);
      const row = await store.pipeline(pipelineId);
      if (!journal || !row) {
        violations.add("no acknowledged pipeline is lost", `${one.key} (${pipelineId}) is missing`);
        continue;
      }
      violations.check(
        row.status === "COMPLETED",
        "every acknowledged pipeline ends as its scenario defines",
        () => `${pipelineId} (${one.scenario}) is ${row.status}`,
      );
      if (row.ended) figures.ended++;
      const records = readRecords(journal);
      for (const { dispatchId, type } of records)
        if (type === "dispatched" && dispatchId) dispatched.add(dispatchId);
      for (const dispatchId of checkJournal(one, records, seen)) answered.add(dispatchId);
      const completions = records.filter(({ type }) => type === "completed").length;
      const published = seen.watched(pipelineId).completions;
      violations.check(
        published === completions,
        "every completion is published once",
        () => `${pipelineId}: ${completions} completions, and ${published} events`,
      );
      checkAudit(pipelineId, records, entries.get(pipelineId) ?? [], violations);
    }
    await checkStrangers(store, seen, entries.keys());
    checkRuns(seen, { dispatched, answered });
    checkSteps(seen);
    await checkLeftovers(store, violations);
    await checkEvents(store, seen);
  } finally {
    await store.close();
  }
}

/** Every submission is repeated until it is acknowledged, so a pipeline without an acknowledgement was never submitted. */
async function checkStrangers(
  store: Store,
  { acknowledged, violations }: Observed,
  ids: Iterable<string>,
): Promise<void> {
  const known = new Set(acknowledged.map(({ pipelineId }) => pipelineId));
  for (const pipelineId of ids) {
    if (pipelineId === "" || known.has(pipelineId)) continue;
    const row = await store.pipeline(pipelineId);
    violations.add("every pipeline was submitted and acknowledged", `${pipelineId} (${row?.pipelineName})`);
  }
}

/** All pipelines have ended, so no commands and no timers are left. */
async function checkLeftovers(store: Store, violations: Violations): Promise<void> {
  for (const { id, pipelineId, text } of await store.outbox())
    violations.add(
      "an ended pipeline has no commands left",
      `command ${id} of ${pipelineId}: ${text.slice(0, 120)}`,
    );
  for (const { pipelineId, timerId } of await store.timers())
    violations.add("an ended pipeline has no timers left", `"${timerId}" of ${pipelineId}`);
}

async function checkEvents(store: Store, { figures, violations }: Observed): Promise<void> {
  for (const { tenantId, eventSequence } of await store.heads()) {
    let last = 0n;
    for (;;) {
      const rows = await store.events(tenantId, last, 10_000);
      for (const { firstSequence, lastSequence } of rows) {
        violations.check(
          firstSequence === last + 1n,
          "events have no gaps",
          () => `${tenantId}: ${firstSequence} follows ${last}`,
        );
        last = lastSequence;
      }
      if (rows.length === 0) break;
    }
    figures.events += Number(last);
    violations.check(last === eventSequence, "events have no gaps", () => `${tenantId} ends at ${last}`);
  }
}
