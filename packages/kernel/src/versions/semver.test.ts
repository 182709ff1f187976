import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareVersions, parseVersion, sameMajor, type Version } from "./semver.ts";

function parsed(text: string): Version {
  const version = parseVersion(text);
  if (!version) throw new Error(`${text} is not a version`);
  return version;
}

describe("versions", () => {
  it("[DIS-02] are ordered with their pre-releases as semver.org lists them", () => {
    const inOrder = [
      ...["0.9.9", "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta", "1.0.0-beta.2"],
      ...["1.0.0-beta.11", "1.0.0-rc.1", "1.0.0", "1.0.1", "1.2.0", "1.10.0", "2.0.0"],
    ];
    for (const [a, first] of inOrder.entries()) {
      for (const [b, second] of inOrder.entries()) {
        expect(Math.sign(compareVersions(parsed(first), parsed(second)))).toBe(Math.sign(a - b));
      }
    }
  });

  it("[DIS-02] compares numbers of any length in a pre-release exactly", () => {
    const [large, larger] = ["1.0.0-90071992547409931", "1.0.0-90071992547409932"];
    expect(compareVersions(parsed(large), parsed(larger))).toBeLessThan(0);
    expect(compareVersions(parsed(larger), parsed("1.0.0-100000000000000000"))).toBeLessThan(0);
  });

  it("[DIS-02] does not order by what stands after a plus sign", () => {
    expect(compareVersions(parsed("1.0.0+a"), parsed("1.0.0+b"))).toBe(0);
  });

  it.each([
    "",
    "1",
    "1.0",
    "v1.0.0",
    "1.0.0.0",
    "01.0.0",
    "1.0.0-",
    "1.0.0-a..b",
    "1.0.0-01",
    "1.0.0-ä",
    "1.0.0 ",
  ])("[DIS-02] %j is not a version", (text) => expect(parseVersion(text)).toBeUndefined());

  it("[DIS-02] counts a minor version before 1.0 as a major one", () => {
    expect(sameMajor(parsed("0.2.0"), parsed("0.2.9"))).toBe(true);
    expect(sameMajor(parsed("0.2.0"), parsed("0.3.0"))).toBe(false);
    expect(sameMajor(parsed("1.2.0"), parsed("1.3.0-rc.1"))).toBe(true);
  });

  it("[DIS-02] have a total order", () => {
    const part = fc.constantFrom("0", "1", "10", "a", "a1", "-");
    const version = fc
      .tuple(fc.nat(2), fc.nat(2), fc.nat(2), fc.array(part, { maxLength: 3 }))
      .map(([major, minor, patch, preRelease]) => ({ major, minor, patch, preRelease }));
    fc.assert(
      fc.property(version, version, version, (a, b, c) => {
        expect(Math.sign(compareVersions(a, b))).toBe(-Math.sign(compareVersions(b, a)) + 0);
        if (compareVersions(a, b) <= 0 && compareVersions(b, c) <= 0) {
          expect(compareVersions(a, c)).toBeLessThanOrEqual(0);
        }
      }),
    );
  });
});
