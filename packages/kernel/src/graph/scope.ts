import { ResponseStatus, type StructuredResponse } from "@baton/contract";
import type { JsonObject } from "@bufbuild/protobuf";

/** The statuses as SACP spells them (§2.1, §11). Conditions compare with these. */
export const statusNames = [
  "success",
  "failure",
  "clarification_needed",
  "completed",
  "retry_with_instruction",
] as const;
export type StatusName = (typeof statusNames)[number];

/** A node's answer for conditions and mappings. `thought` is for people and left out (SACP §2.1). */
export interface NodeOutput {
  readonly status: StatusName;
  readonly data: JsonObject;
  readonly message: string;
  readonly nextStepHint: string;
}

/** The readable values of a condition or mapping. */
export interface Scope {
  /** The answer of the node that an edge leaves; absent without such a node. */
  readonly response?: NodeOutput | undefined;
  /** Answers by node; nodes that were skipped or have not run yet are missing. */
  readonly nodes: ReadonlyMap<string, NodeOutput>;
  /** The inputs of the pipeline. */
  readonly input?: JsonObject | undefined;
  /** The values of a rule, by name. */
  readonly values?: JsonObject | undefined;
}

const nameOf: Readonly<Record<ResponseStatus, StatusName>> = {
  // The contract refuses it; a record that has it nevertheless is not a success.
  [ResponseStatus.UNSPECIFIED]: "failure",
  [ResponseStatus.SUCCESS]: "success",
  [ResponseStatus.FAILURE]: "failure",
  [ResponseStatus.CLARIFICATION_NEEDED]: "clarification_needed",
  [ResponseStatus.COMPLETED]: "completed",
  [ResponseStatus.RETRY_WITH_INSTRUCTION]: "retry_with_instruction",
};

export function nodeOutput(response: StructuredResponse): NodeOutput {
  const { status, data = {}, message, nextStepHint } = response;
  return { status: nameOf[status] ?? "failure", data, message, nextStepHint };
}

/** The output of a node that failed without an answer: a crash, a timeout, a lost agent. */
export function failedOutput(reason: string): NodeOutput {
  return { status: "failure", data: {}, message: reason, nextStepHint: "" };
}
