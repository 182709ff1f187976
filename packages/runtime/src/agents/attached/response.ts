import { type AttachAgentResponse, AttachAgentResponseSchema, type ErrorDetail } from "@baton/contract";
import type { Redactor } from "@baton/kernel";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { HubError } from "../../ports/hub-error.ts";
import { redactError } from "../../redaction/redact-error.ts";

/** A message of the hub. */
export type Response = Exclude<MessageInitShape<typeof AttachAgentResponseSchema>["message"], undefined>;

export function response(message: Response): AttachAgentResponse {
  return create(AttachAgentResponseSchema, { message });
}

/** Why a message was refused, for its agent. */
export function refusalOf(error: unknown, errors: Redactor): ErrorDetail {
  if (!(error instanceof HubError))
    return redactError(errors, {
      code: "BATON-HUB-001",
      message: "a mistake of the hub",
      fix: "send it again",
    });
  const { code, message, fix, violations } = error;
  return redactError(errors, {
    ...{ code, message, fix },
    violations: violations.map((violation) => ({ ...violation })),
  });
}
