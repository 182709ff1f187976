import { FailureStrategy, PipelinePolicySchema, PipelineSchema } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { before, behind, ifAnswered, ifApproved, ifFailed, ifRejected } from "./consequences.ts";

const pipeline = create(PipelineSchema, {
  stages: [
    { stageId: "design" },
    { stageId: "build", config: { dependsOnStages: ["design"] } },
    { stageId: "test", config: { dependsOnStages: ["build"] } },
    { stageId: "write", config: { dependsOnStages: ["design"] } },
  ],
  policy: { failureStrategy: FailureStrategy.PAUSE },
});

describe("what will happen", () => {
  it("follows from what depends on what", () => {
    expect(behind(pipeline.stages, "design")).toEqual(["build", "test", "write"]);
    expect(before(pipeline.stages, "test")).toEqual(["design", "build"]);
  });

  it("[TUR-08] is told before somebody decides", () => {
    expect(ifApproved(pipeline, "design")).toBe(
      "The work of design is accepted, and build and write can start.",
    );
    expect(ifApproved(pipeline, "test")).toBe("The work of test is accepted, and nothing else waits for it.");
    expect(ifRejected(pipeline, "build")).toBe(
      "build is tried again, with what failed and your instructions. test starts over.",
    );
    expect(ifAnswered("abort")).toContain("Only a rewind brings it back.");
    expect(ifFailed(pipeline, "test")).toBe("test fails for good, and the run waits for a person.");
    expect(ifFailed({ ...pipeline, policy: undefined }, "test")).toBe(
      "test fails for good, and the run waits for a person.",
    );
    const policy = create(PipelinePolicySchema, { failureStrategy: FailureStrategy.FAIL_FAST });
    expect(ifFailed({ ...pipeline, policy }, "test")).toBe("test fails for good, and the run with it.");
  });
});
