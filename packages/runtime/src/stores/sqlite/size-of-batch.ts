import type { Batch } from "../../ports/store.ts";

/** Pages of indexes and of small tables that a commit changes, whatever it stores. */
const perCommit = 14 * 4096;
/** Row of the pipeline, commands, timers. */
const perTransition = 1024;

/** About how much a commit writes to the log. */
export function sizeOfBatch({ transitions, audit, events, fleet }: Batch): number {
  let size = perCommit + transitions.length * perTransition;
  for (const { records, contents } of transitions) {
    size += records.text.length;
    for (const { bytes } of contents) size += bytes.length;
  }
  for (const { entry, hash } of audit) size += entry.length + hash.length;
  for (const row of events) size += row.events.length;
  for (const { text } of fleet) size += text.length;
  return size;
}
