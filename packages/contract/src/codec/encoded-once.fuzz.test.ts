import {
  type AttachAgentResponse,
  AttachAgentResponseSchema,
  decodeBinary,
  encodeAttachAgentResponse,
  encodeBinary,
  encodedOnce,
  TaskEnvelopeSchema,
} from "@baton/contract";
import { anyMessage } from "@baton/contract/testing";
import { create, isMessage } from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

const numRuns = Number(process.env.BATON_FUZZ_RUNS ?? 500);

/** In one piece. */
function encoded(response: AttachAgentResponse): Uint8Array {
  return Uint8Array.from(encodeAttachAgentResponse(response).flatMap((piece) => [...piece]));
}

describe("what the hub says to an agent", () => {
  it("[CON-09] is the same bytes whether its envelope was encoded before or not", () => {
    fc.assert(
      fc.property(anyMessage(AttachAgentResponseSchema), fc.boolean(), (response, before) => {
        if (!isMessage(response, AttachAgentResponseSchema)) return false;
        const { message } = response;
        if (before && message.case === "dispatch") encodedOnce(TaskEnvelopeSchema, message.value);
        expect(encoded(response)).toEqual(encodeBinary(AttachAgentResponseSchema, response));
        return true;
      }),
      { numRuns },
    );
  });

  it.each([0, 1, 123, 124, 16_376, 16_377, 16_378, 2_097_200])(
    "[CON-09] has an envelope behind its length, with a title of %i characters",
    (length) => {
      const envelope = create(TaskEnvelopeSchema, { contract: { title: "x".repeat(length) } });
      const response = create(AttachAgentResponseSchema, { message: { case: "dispatch", value: envelope } });
      encodedOnce(TaskEnvelopeSchema, envelope);
      const { message } = decodeBinary(AttachAgentResponseSchema, encoded(response));
      expect(message).toEqual({ case: "dispatch", value: envelope });
    },
  );

  it("[CON-11] keeps the fields of a newer version beside an envelope that was encoded before", () => {
    const envelope = create(TaskEnvelopeSchema);
    encodedOnce(TaskEnvelopeSchema, envelope);
    const newer = { no: 900, wireType: 0, data: Uint8Array.of(1) };
    const response = create(AttachAgentResponseSchema, { message: { case: "dispatch", value: envelope } });
    response.$unknown = [newer];
    const { $unknown } = decodeBinary(AttachAgentResponseSchema, encoded(response));
    expect($unknown).toEqual([newer]);
  });
});

describe("a message that is encoded once", () => {
  it("has the same bytes ever after", () => {
    const envelope = create(TaskEnvelopeSchema, { contract: { title: "Build it" } });
    const bytes = encodedOnce(TaskEnvelopeSchema, envelope);
    expect(bytes).toEqual(encodeBinary(TaskEnvelopeSchema, envelope));
    expect(encodedOnce(TaskEnvelopeSchema, envelope)).toBe(bytes);
  });
});
