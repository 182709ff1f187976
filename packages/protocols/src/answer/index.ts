/** Results written by language models and foreign programs: whole, or in the lean form. */

export { type DescribeOptions, describeTask, quoteData } from "./describe-task.ts";
export { answerInstructions } from "./instructions.ts";
export { type AnswerFrame, type AnswerReading, readAnswer } from "./read-answer.ts";
