import {
  AgentResultSchema,
  AttachAgentRequestSchema,
  decodeBinary,
  encodeBinary,
  takeAsItCame,
} from "@baton/contract";
import { anyMessage } from "@baton/contract/testing";
import { create, isMessage } from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

const numRuns = Number(process.env.BATON_FUZZ_RUNS ?? 500);

describe("the bytes of what an agent answered", () => {
  it("[CON-09] are those of the answer, are given once, and outlive what they came in", () => {
    fc.assert(
      fc.property(anyMessage(AgentResultSchema), (result) => {
        if (!isMessage(result, AgentResultSchema)) return false;
        const message = { case: "result" as const, value: result };
        const bytes = encodeBinary(AttachAgentRequestSchema, create(AttachAgentRequestSchema, { message }));
        const came = decodeBinary(AttachAgentRequestSchema, bytes).message;
        if (came.case !== "result") return false;
        const taken = takeAsItCame(came.value);
        bytes.fill(0);
        expect(takeAsItCame(came.value)).toBeUndefined();
        // What has something unusual about it is read another way, and encoded again.
        if (taken) expect(decodeBinary(AgentResultSchema, taken)).toEqual(came.value);
        return true;
      }),
      { numRuns },
    );
  });

  it("[CON-09] are there for a usual answer", () => {
    const result = create(AgentResultSchema, { dispatchId: "p/implement/1", status: { summary: "done" } });
    const message = { case: "result" as const, value: result };
    const bytes = encodeBinary(AttachAgentRequestSchema, create(AttachAgentRequestSchema, { message }));
    const came = decodeBinary(AttachAgentRequestSchema, bytes).message;
    expect(came.case === "result" && takeAsItCame(came.value)).toEqual(
      encodeBinary(AgentResultSchema, result),
    );
    expect(takeAsItCame(result)).toBeUndefined();
  });
});
