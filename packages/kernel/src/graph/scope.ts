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

/** What a node answered, as conditions and mappings see it. `thought` is for people and is not there (SACP §2.1). */
export interface NodeOutput {
  readonly status: StatusName;
  readonly data: JsonObject;
  readonly message: string;
  readonly nextStepHint: string;
}

/** What a condition or a mapping may read. */
export interface Scope {
  /** The answer of the node that an edge leaves; absent where there is no such node. */
  readonly response?: NodeOutput | undefined;
  /** Answers by node. A node that is not in it did not run: it was skipped, or its turn has not come. */
  readonly nodes: ReadonlyMap<string, NodeOutput>;
  /** What the pipeline was started with. */
  readonly input?: JsonObject | undefined;
}

const nameOf: Readonly<Record<ResponseStatus, StatusName>> = {
  // The contract refuses it; a record that has it all the same is not taken for a success.
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

/** Stands for the answer of a node that failed without one: a crash, a timeout, a lost agent. */
export function failedOutput(reason: string): NodeOutput {
  return { status: "failure", data: {}, message: reason, nextStepHint: "" };
}
