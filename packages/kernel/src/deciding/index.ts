/** What the person who decides sees (A §3.2, §4.3 step 6): which rule asks, and what each decision leads to. */
export { changeCommands, shortCommit } from "./change-commands.ts";
export * from "./consequences.ts";
export { describeEdge, describeValues } from "./edges.ts";
export {
  type ComparedCase,
  type ComparedVersions,
  compareVersions,
  type EvaluatedRun,
  type EvaluationTotals,
  evaluatedRun,
  evaluationLabels,
  failedChecksLabel,
  versionsOf,
} from "./evaluations.ts";
export { changeWarnings, describeSize, fileNotes, fileWord, isTestFile } from "./file-words.ts";
export { fitDiffs } from "./fit-diffs.ts";
export { countHidden, escapeHidden, findHidden } from "./hidden-characters.ts";
export { finalAnswers, type KeptWork, keptWork, shellQuote } from "./kept-work.ts";
export { isUnchecked, nothingChecked } from "./nothing-checked.ts";
export { escalationRules, groupByCause } from "./rules.ts";
export { attemptsUnderReview, diffSinceCommand } from "./sent-back-before.ts";
export { rejectionTargets, stagesUnderReview } from "./under-review.ts";
export { offsetOf, unclosedBracket } from "./yaml-positions.ts";
