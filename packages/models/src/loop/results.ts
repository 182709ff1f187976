import type { Task } from "@baton/agent";
import type { AgentResult } from "@baton/contract";
import type { ResponseReading, SacpResponse } from "@baton/protocols/sacp";
import type { JsonObject } from "@bufbuild/protobuf";
import type { ModelReply } from "../calls/reply.ts";
import { limits } from "../limits.ts";

const noEvidence = "a model answered; it ran no command";

/** The result of a valid response (SACP §2.2, §11). */
export function resultOf(task: Task, response: SacpResponse): AgentResult {
  const { status, thought, data, next_step_hint: nextStepHint } = response;
  const message = response.message.trim() === "" ? silent[status] : response.message;
  const options = {
    ...{ data: data as JsonObject, thought },
    ...(nextStepHint !== undefined && { nextStepHint }),
  };
  switch (status) {
    case "success":
      return task.success(message, { ...options, noEvidence });
    case "completed":
      return task.completed(message, { ...options, noEvidence });
    case "failure":
      return task.failure(message, { ...options, noEvidence });
    case "clarification_needed":
      return task.ask(message, options);
    case "retry_with_instruction":
      return task.retryWithInstruction(message, options);
  }
}

/** For answers without a message. */
const silent: Readonly<Record<SacpResponse["status"], string>> = {
  success: "The model answered without a message.",
  completed: "The model answered without a message.",
  failure: "The model reported a failure without a message.",
  clarification_needed: "The model needs a clarification, and did not say which.",
  retry_with_instruction: "The model sent the work back without an instruction.",
};

/** The fallback object of SACP §7.2. Beyond the limit, of the raw text the beginning is kept. */
export function fallbackResult(task: Task, { response }: ResponseReading, reply: ModelReply): AgentResult {
  const { message, thought, data } = response;
  const raw = String(data.raw_output ?? "");
  const code = reply.end === "length" ? "ANSWER_CUT_OFF" : "ANSWER_UNREADABLE";
  return task.failure(message, {
    ...{ code, thought, noEvidence },
    data: { raw_output: raw.slice(0, limits.rawLength).toWellFormed() },
  });
}

/** Without the protocol, the text is the message. */
export function plainResult(task: Task, { text, reasoning, end }: ModelReply): AgentResult {
  if (text.trim() === "")
    return task.failure("the model answered with an empty text", { code: "ANSWER_EMPTY", noEvidence });
  if (end === "length")
    return task.failure("the answer reached max_output_tokens before its end", {
      ...{ code: "ANSWER_CUT_OFF", data: { raw_output: text.slice(0, limits.rawLength).toWellFormed() } },
      ...{ thought: reasoning.slice(0, limits.thoughtLength).toWellFormed(), noEvidence },
    });
  return task.success(text, { thought: reasoning.slice(0, limits.thoughtLength).toWellFormed(), noEvidence });
}
