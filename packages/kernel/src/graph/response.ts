import { ResponseStatus, type StructuredResponse } from "@baton/contract";

/** Where a node's answer leads (SACP §2.2, §11). */
export type ResponseRoute =
  /** Continue along the edges that are taken. */
  | { readonly kind: "proceed" }
  /** Go to the error stage, or stop. */
  | { readonly kind: "fail"; readonly reason: string }
  /** Pause and ask the user; the answer resumes this node. */
  | { readonly kind: "ask"; readonly question: string }
  /** End the whole workflow here, successfully. */
  | { readonly kind: "end" }
  /** Run the previous node again with an instruction, within the bound of the back edge. */
  | { readonly kind: "back"; readonly instruction: string };

/** Decides by the status alone; the other fields are for conditions and people. */
export function routeResponse(response: StructuredResponse): ResponseRoute {
  const { status, message, nextStepHint } = response;
  switch (status) {
    case ResponseStatus.SUCCESS:
      return { kind: "proceed" };
    case ResponseStatus.FAILURE:
      return { kind: "fail", reason: message || "the agent reported failure and did not say why" };
    case ResponseStatus.CLARIFICATION_NEEDED:
      return {
        kind: "ask",
        question: message || nextStepHint || "the agent needs input and did not say which",
      };
    case ResponseStatus.COMPLETED:
      return { kind: "end" };
    case ResponseStatus.RETRY_WITH_INSTRUCTION:
      return {
        kind: "back",
        instruction: message || nextStepHint || "try again: the result was not accepted",
      };
    default:
      // Not stated, or of a newer version: not a success.
      return { kind: "fail", reason: `the answer has no status that is known (${status})` };
  }
}
