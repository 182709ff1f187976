import { ResponseStatus, type StructuredResponse, StructuredResponseSchema } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { enumNames } from "../enum-names.ts";
import { NegotiatedResponseSchema, type SacpResponse, type StatusName } from "./response.ts";

export const responseStatusNames = enumNames<StatusName>({
  success: ResponseStatus.SUCCESS,
  failure: ResponseStatus.FAILURE,
  clarification_needed: ResponseStatus.CLARIFICATION_NEEDED,
  completed: ResponseStatus.COMPLETED,
  retry_with_instruction: ResponseStatus.RETRY_WITH_INSTRUCTION,
});

/** Encodes a response for the contract. */
export function responseToContract(response: SacpResponse): StructuredResponse {
  const { thought, status, data, message, next_step_hint: nextStepHint = "" } = response;
  return create(StructuredResponseSchema, {
    ...{ thought, status: responseStatusNames.number(status), data, message, nextStepHint },
  });
}

/** A response as SACP has it. Throws a ZodError for a status that the contract leaves open and SACP does not. */
export function responseFromContract({
  thought,
  status,
  data,
  message,
  nextStepHint,
}: StructuredResponse): SacpResponse {
  return NegotiatedResponseSchema.parse({
    thought,
    status: responseStatusNames.name(status),
    data: data ?? {},
    message,
    ...(nextStepHint !== "" && { next_step_hint: nextStepHint }),
  });
}
