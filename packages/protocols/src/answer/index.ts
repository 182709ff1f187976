/** Results as agents write them that are no programs of ours: whole, or in the lean form. */
export { answerInstructions } from "./instructions.ts";
export { type AnswerFrame, type AnswerReading, readAnswer } from "./read-answer.ts";
