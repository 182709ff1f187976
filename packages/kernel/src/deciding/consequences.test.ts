import { FailureStrategy, PipelineSchema, PipelineStatus } from "@baton/contract";
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

  it("[TUR-08] is displayed before a person decides", () => {
    expect(ifApproved(pipeline, "design")).toBe(
      "The work of design is accepted, and build and write can start.",
    );
    expect(ifApproved(pipeline, "test")).toBe("The work of test is accepted, and nothing else waits for it.");
    expect(ifRejected(pipeline, "build", "build")).toBe(
      "build is tried again, with what failed and your instructions. test starts over.",
    );
    expect(ifAnswered("abort")).toContain("Only a rewind brings it back.");
  });

  const strategies = {
    ...{ FAIL_FAST: FailureStrategy.FAIL_FAST, SKIP_FAILED: FailureStrategy.SKIP_FAILED },
    PAUSE: FailureStrategy.PAUSE,
  };
  const withPolicy = (
    failureStrategy: FailureStrategy,
    { required = false, errorStageId = "", status = PipelineStatus.RUNNING } = {},
  ) =>
    create(PipelineSchema, {
      status,
      stages: [{ stageId: "test", config: { required, errorStageId } }],
      policy: { failureStrategy },
      rejectionsLeft: 0,
    });

  it.each([
    ["PAUSE", {}, "and the run waits for a person."],
    ["FAIL_FAST", {}, "and the run with it."],
    ["FAIL_FAST", { status: PipelineStatus.PAUSED }, "and the run waits for a person."],
    ["SKIP_FAILED", {}, "and the run goes on without it."],
    ["SKIP_FAILED", { required: true }, "and the run waits for a person."],
    ["FAIL_FAST", { errorStageId: "repair" }, "and repair takes over."],
  ] as const)("[PIP-09] of a stage that fails is what %s does with %j", (strategy, how, end) => {
    const run = withPolicy(strategies[strategy], how);
    expect(ifFailed(run, "test")).toBe(`test fails for good, ${end}`);
    // When no rejection is left, a rejection does the same, whatever stage it names.
    expect(ifRejected(run, "test", "design")).toBe(
      `No rejection is left, so nothing goes back: test fails for good, ${end}`,
    );
  });

  it("[PIP-09] warns of the last rejection, and not where an older hub does not count them", () => {
    const last = "It is the last rejection that this run allows.";
    expect(ifRejected({ ...pipeline, rejectionsLeft: 1 }, "test", "test")).toContain(last);
    expect(ifRejected({ ...pipeline, rejectionsLeft: 2 }, "test", "test")).not.toContain(last);
    expect(ifRejected(pipeline, "test", "test")).toContain("test is tried again");
  });
});
