import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { describe, expect, it } from "vitest";
import { budgetText, noLimits, readLimits } from "./read-limits.ts";

describe("typed limits", () => {
  it("omit empty fields", () => {
    expect(readLimits({ ...noLimits, usd: "2.5", hours: "2" }, 0)).toEqual({
      ok: true,
      limits: { budget: { maxCostMicroUsd: 2_500_000n }, deadline: timestampFromMs(7_200_000) },
    });
    expect(readLimits({ ...noLimits, tokens: "0", steps: "9" }, 0)).toEqual({
      ok: true,
      limits: { budget: { maxTokens: 0n, maxSteps: 9 } },
    });
  });

  it.each([
    [noLimits, "Enter a limit"],
    [{ ...noLimits, tokens: "many" }, "whole numbers"],
    [{ ...noLimits, usd: "-1" }, "amount"],
    [{ ...noLimits, hours: "0" }, "hours from now"],
  ])("%o is not a limit", (typed, problem) => {
    expect(readLimits(typed, 0)).toEqual({ ok: false, problem: expect.stringContaining(problem) });
  });

  it("are described in words", () => {
    expect(budgetText(undefined)).toBe("no limit");
  });
});
