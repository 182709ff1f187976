import { type AttachAgentResponse, AttachAgentResponseSchema, type ErrorDetail } from "@baton/contract";
import type { Redactor } from "@baton/kernel";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { filterError } from "../../filter/filter-error.ts";
import { HubError } from "../../hub/hub-error.ts";

/** What the hub says on a stream. */
export type Response = Exclude<MessageInitShape<typeof AttachAgentResponseSchema>["message"], undefined>;

export function response(message: Response): AttachAgentResponse {
  return create(AttachAgentResponseSchema, { message });
}

/** Why a message was not taken, as its agent is told. */
export function refusalOf(error: unknown, errors: Redactor): ErrorDetail {
  if (!(error instanceof HubError))
    return filterError(errors, {
      code: "BATON-HUB-001",
      message: "a mistake of the hub",
      fix: "send it again",
    });
  const { code, message, fix, violations } = error;
  return filterError(errors, {
    ...{ code, message, fix },
    violations: violations.map((violation) => ({ ...violation })),
  });
}
