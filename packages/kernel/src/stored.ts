/**
 * What a store has to know of what it keeps. It is all of the kernel that a store and its threads load: every hub has some
 * of them, and they are there at once.
 */
export { timeoutTimer } from "./pipeline/state/timers.ts";
export { entryPrefix } from "./trust/audit/canonical/prefixes.ts";
