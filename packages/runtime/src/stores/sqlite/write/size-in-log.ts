/** Pages of indexes and small tables that every commit changes. */
const perCommit = 14 * 4096;
/** Index entries and row overhead of a pipeline, its commands and timers. */
const perTransition = 1024;

/** Estimates the bytes that a commit writes to the log. */
export function sizeInLog(transitions: number, packedBytes: number): number {
  return perCommit + transitions * perTransition + packedBytes;
}
