export { checkCachePolicy } from "./cache/check-policy.ts";
export { essenceLimits, essenceOf, pointerFault } from "./cache/essence.ts";
export { type CacheIdentity, type CacheSubject, cacheIdentity, digestOf, hexOf } from "./cache/identity.ts";
export { type CacheAnswer, judgeRecord } from "./cache/judge-record.ts";
export { cacheLimits } from "./cache/limits.ts";
export { type CacheTerms, cacheSubject, cacheTerms, isCached } from "./cache/terms.ts";
export type { CacheView, RunCache } from "./cache/view.ts";
/** Alignment of governed tasks (SAP V2 §4.1, §4.2). */
export * from "./constitution.ts";
export {
  goesWithout,
  type LearningIdentity,
  lessonLimits,
  lessonsFor,
  newestLessons,
} from "./learning/lessons.ts";
export * from "./report.ts";
export * from "./run-check.ts";
export * from "./scope.ts";
export * from "./select.ts";
export * from "./subject.ts";
