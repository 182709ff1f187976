import { describe, expect, it } from "vitest";
import { parseVersion } from "./semver.ts";
import { rangeFault, satisfies } from "./version-range.ts";

function inside(range: string, ...versions: readonly string[]): readonly string[] {
  return versions.filter((text) => {
    const version = parseVersion(text);
    return version !== undefined && satisfies(version, range);
  });
}

const versions = ["0.2.3", "0.3.0", "1.0.0", "1.2.3", "1.3.0", "2.0.0-rc.1", "2.0.0", "3.1.0"];

describe("a range of versions", () => {
  it.each([
    [">= 1.0.0", ["1.0.0", "1.2.3", "1.3.0", "2.0.0-rc.1", "2.0.0", "3.1.0"]],
    [">=1.2 <2", ["1.2.3", "1.3.0"]],
    ["> 1.2.3 <= 2.0.0", ["1.3.0", "2.0.0-rc.1", "2.0.0"]],
    [">1", ["2.0.0", "3.1.0"]],
    ["<= 1.2", ["0.2.3", "0.3.0", "1.0.0", "1.2.3"]],
    ["^1.2", ["1.2.3", "1.3.0"]],
    ["^0.2.3", ["0.2.3"]],
    ["~ 1.2.0", ["1.2.3"]],
    ["~1", ["1.0.0", "1.2.3", "1.3.0"]],
    ["1.x", ["1.0.0", "1.2.3", "1.3.0"]],
    ["1.2.*", ["1.2.3"]],
    ["1.0.0 - 1.2", ["1.0.0", "1.2.3"]],
    ["^1.0.0 || 3.x", ["1.0.0", "1.2.3", "1.3.0", "3.1.0"]],
    ["=v1.2.3", ["1.2.3"]],
    ["1.2.3", ["1.0.0", "1.2.3", "1.3.0"]],
    ["0.2.0", ["0.2.3"]],
    ["*", versions],
  ])("[DIS-07] %s", (range, expected) => {
    expect(inside(range, ...versions)).toEqual(expected);
    expect(rangeFault(range)).toBeUndefined();
  });

  it.each([
    "",
    "  ",
    "nonsense",
    "1.2.3.4",
    ">=",
    "^1.0.0 ||",
    "1.0.0 - ",
    ">=1.0.0 and <2",
    "1.x.3",
    "01.0.0",
  ])("[DIS-02] %j is none, and nothing lies in it", (range) => {
    expect(rangeFault(range)).toBe(`"${range}" is not a range of versions`);
    expect(inside(range, ...versions)).toEqual([]);
  });

  it.each([">2.0.0 <1.0.0", "=1.0.0 =2.0.0", ">1.0.0 <=1.0.0", ">*"])(
    "[DIS-02] nothing lies in %s",
    (range) => {
      expect(rangeFault(range)).toBe(`no version lies in the range "${range}"`);
    },
  );
});
