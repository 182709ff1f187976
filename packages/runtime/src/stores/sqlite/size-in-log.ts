/** Pages of indexes and of small tables that a commit changes, whatever it stores. */
const perCommit = 14 * 4096;
/** Entries of indexes, and what the pages of a pipeline, its commands and its timers have besides. */
const perTransition = 1024;

/** About how much a commit writes to the log, by what the batch had in memory. */
export function sizeInLog(transitions: number, packedBytes: number): number {
  return perCommit + transitions * perTransition + packedBytes;
}
