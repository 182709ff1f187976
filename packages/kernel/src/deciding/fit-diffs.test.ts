import { describe, expect, it } from "vitest";
import { fitDiffs } from "./fit-diffs.ts";

const lines = (count: number) => "+line\n".repeat(count);

describe("diffs that do not all fit", () => {
  it("are whole where they fit", () => {
    expect(fitDiffs([lines(3), "", lines(1)], 1_000)).toEqual([lines(3), "", lines(1)]);
  });

  it("leave the small ones whole, share the rest evenly, and end with a line", () => {
    expect(fitDiffs([lines(100), lines(2), lines(100)], 12 + 60 + 5)).toEqual([lines(5), lines(2), lines(5)]);
  });

  it("show nothing of a line that is longer than the room there is", () => {
    expect(fitDiffs([`+${"x".repeat(100)}\n`, lines(1)], 50)).toEqual(["", lines(1)]);
  });
});
