/** What the person who decides sees (A §3.2, §4.3 step 6): which rule asks, and what each decision leads to. */
export { type ChangeCommands, changeCommands, shortCommit } from "./change-commands.ts";
export { describeSize } from "./change-size.ts";
export { changeWarnings } from "./change-warnings.ts";
export * from "./consequences.ts";
export { fileNotes, fileWord } from "./file-words.ts";
export { fitDiffs } from "./fit-diffs.ts";
export { groupByCause } from "./group-by-cause.ts";
export {
  countHidden,
  escapeHidden,
  findHidden,
  type HiddenCharacter,
  type TextPiece,
} from "./hidden-characters.ts";
export { finalAnswers, type KeptWork, keptWork, shellQuote } from "./kept-work.ts";
export { isUnchecked, nothingChecked } from "./nothing-checked.ts";
export { escalationRules } from "./rules.ts";
export { attemptsUnderReview, diffSinceCommand } from "./sent-back-before.ts";
export { isTestFile } from "./test-files.ts";
export { unclosedBracket } from "./unclosed-bracket.ts";
export { rejectionTargets, stagesUnderReview } from "./under-review.ts";
