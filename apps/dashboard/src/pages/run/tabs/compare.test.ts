import { AttemptSummarySchema, GetAttemptResponseSchema } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { pairOf, toldText } from "./compare.ts";

const [one, two, three] = [1, 2, 3].map((attemptNumber) =>
  create(AttemptSummarySchema, { attemptNumber, dispatchId: `p/a/${attemptNumber}` }),
);
const all = [one, two, three].filter((attempt) => attempt !== undefined);

describe("two attempts side by side", () => {
  it("[TUR-08] stand in their order, the older first, whichever is looked at", () => {
    expect(pairOf(all, three)).toEqual([two, three]);
    expect(pairOf(all, two)).toEqual([one, two]);
    expect(pairOf(all, one)).toEqual([one, two]);
    expect(pairOf([...all].slice(0, 1), one)).toBeUndefined();
    expect(pairOf(all, undefined)).toBeUndefined();
  });

  it("[PIP-06] say once of a check that it failed, and why where more is known", () => {
    const failedChecks = [
      { checkName: "tests", reason: "tests failed" },
      { checkName: "lint", reason: "the agent claims that it passes, and it does not" },
    ];
    const envelope = { reviewFeedback: { rejectedAttempt: 1, rejectedByStage: "gate", failedChecks } };
    const told = toldText(create(GetAttemptResponseSchema, { envelope })).split("\n");
    expect(told).toContain("tests: failed");
    expect(told).toContain("lint: the agent claims that it passes, and it does not");
  });
});
