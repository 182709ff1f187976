/** Answers of language models as objects (SACP §7). */
export { type FoundObject, findObject, longestAnswer } from "./find-object.ts";
export type { Repair } from "./read-leniently.ts";
