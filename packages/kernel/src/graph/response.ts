import { ResponseStatus, type StructuredResponse } from "@baton/contract";

/** What a node's answer asks for (SACP §2.2, §11). */
export type ResponseRoute =
  /** Go on along the edges that are taken. */
  | { readonly kind: "proceed" }
  /** Go to the error stage, or stop. */
  | { readonly kind: "fail"; readonly reason: string }
  /** Pause and ask the user; the answer resumes this node. */
  | { readonly kind: "ask"; readonly question: string }
  /** End the whole workflow here, successfully. */
  | { readonly kind: "end" }
  /** Send the node before back to work with an instruction. How often, the edge that goes back says. */
  | { readonly kind: "back"; readonly instruction: string };

/** Decides by the status alone: what the other fields say is for conditions and for people. */
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
      // Not stated, or of a version to come. Silence is not success.
      return { kind: "fail", reason: `the answer has no status that is known (${status})` };
  }
}
