import { AttemptSummarySchema, GetAttemptResponseSchema } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { briefingText, pairOf } from "./compare.ts";

const [one, two, three] = [1, 2, 3].map((attemptNumber) =>
  create(AttemptSummarySchema, { attemptNumber, dispatchId: `p/a/${attemptNumber}` }),
);
const all = [one, two, three].filter((attempt) => attempt !== undefined);

describe("two attempts side by side", () => {
  it("[TUR-08] are ordered from older to newer, whichever is selected", () => {
    expect(pairOf(all, three)).toEqual([two, three]);
    expect(pairOf(all, two)).toEqual([one, two]);
    expect(pairOf(all, one)).toEqual([one, two]);
    expect(pairOf([...all].slice(0, 1), one)).toBeUndefined();
    expect(pairOf(all, undefined)).toBeUndefined();
  });

  it("[PIP-06] name a failed check once, with the reason when there is one", () => {
    const failedChecks = [
      { checkName: "tests", reason: "tests failed" },
      { checkName: "lint", reason: "the agent claims that it passes, and it does not" },
    ];
    const envelope = { reviewFeedback: { rejectedAttempt: 1, rejectedByStage: "gate", failedChecks } };
    const text = briefingText(create(GetAttemptResponseSchema, { envelope })).split("\n");
    expect(text).toContain("tests: failed");
    expect(text).toContain("lint: the agent claims that it passes, and it does not");
  });
});
