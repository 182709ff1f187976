/** The part of the kernel that a store needs. Kept small, because every hub runs several store threads that load it. */
export { timeoutTimer } from "./pipeline/state/timers.ts";
export { entryPrefix } from "./trust/audit/canonical/prefixes.ts";
