import { ContextInSchema, ReviewFeedbackSchema, type TaskEnvelope } from "@baton/contract";
import type { JsonObject } from "@bufbuild/protobuf";
import type { Redactor } from "./redactor.ts";

/**
 * Redacts an envelope for an agent: `context_in` (A §5.3), `review_feedback`, `lessons` and `inputs`, which may quote other agents,
 * commands and files. Of `inputs` only secrets and what the policy names: the author of the graph sends this data to this
 * agent, and masked personal data is of no use to it (SACP §6 passes on email addresses). The submitter's own content is
 * unchanged: contract, safety, references, workspace, and answers to the agent's questions. An envelope without anything to
 * mask is returned as is.
 */
export function redactEnvelope(redactor: Redactor, envelope: TaskEnvelope): TaskEnvelope {
  const { contextIn, reviewFeedback, inputs, lessons } = envelope;
  const context = contextIn && redactor.redactMessage(ContextInSchema, contextIn).message;
  const feedback = reviewFeedback && redactor.redactMessage(ReviewFeedbackSchema, reviewFeedback).message;
  const given = inputs && redactor.redactValue(inputs, "inputs", "secrets");
  const masked = lessons.map((lesson) => ({ ...lesson, text: redactor.redactText(lesson.text).text }));
  const isSame = masked.every(({ text }, index) => text === lessons[index]?.text);
  if (context === contextIn && feedback === reviewFeedback && !given?.masked && isSame) return envelope;
  return {
    ...envelope,
    lessons: isSame ? lessons : masked,
    ...(context && { contextIn: context }),
    ...(feedback && { reviewFeedback: feedback }),
    ...(given?.masked && { inputs: given.value as JsonObject }),
  };
}
