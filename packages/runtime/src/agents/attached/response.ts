import { type AttachAgentResponse, AttachAgentResponseSchema } from "@baton/contract";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { HubError } from "../../hub/hub-error.ts";

/** What the hub says on a stream. */
export type Response = Exclude<MessageInitShape<typeof AttachAgentResponseSchema>["message"], undefined>;

export function response(message: Response): AttachAgentResponse {
  return create(AttachAgentResponseSchema, { message });
}

/** Why a message was not taken, as its agent is told. */
export function refusalOf(error: unknown) {
  if (!(error instanceof HubError))
    return { code: "BATON-HUB-001", message: "a mistake of the hub", fix: "send it again" };
  const { code, message, fix, violations } = error;
  return { code, message, fix, violations: violations.map((violation) => ({ ...violation })) };
}
