import { ContextInSchema, ReviewFeedbackSchema, type TaskEnvelope } from "@baton/contract";
import type { JsonObject } from "@bufbuild/protobuf";
import type { Redactor } from "./redactor.ts";

/**
 * An envelope as an agent gets it. What the submitter asks for travels as it was written: contract, safety, references,
 * workspace, and the answers to the agent's own questions. What is told beside it passes the filter, since it may hold
 * what other agents, commands and files said: `context_in`, `review_feedback` and `inputs` (A §5.3 names the first). An
 * envelope that holds nothing of the kind is returned as it came.
 */
export function redactEnvelope(redactor: Redactor, envelope: TaskEnvelope): TaskEnvelope {
  const { contextIn, reviewFeedback, inputs } = envelope;
  const context = contextIn && redactor.redactMessage(ContextInSchema, contextIn).message;
  const feedback = reviewFeedback && redactor.redactMessage(ReviewFeedbackSchema, reviewFeedback).message;
  const given = inputs && redactor.redactValue(inputs, "inputs");
  if (context === contextIn && feedback === reviewFeedback && !given?.masked) return envelope;
  return {
    ...envelope,
    ...(context && { contextIn: context }),
    ...(feedback && { reviewFeedback: feedback }),
    ...(given?.masked && { inputs: given.value as JsonObject }),
  };
}
