import { RE2JS } from "@bufbuild/re2";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compilePattern, patternParts, refusePattern } from "./pattern.ts";

const matches = (source: string, text: string) => compilePattern(source).test(text, () => undefined);

describe("a pattern of a JSON Schema", () => {
  const atom = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(..."ab1_ \n-", ".", "\\d", "\\w", "\\s", "\\pL", "\\x{1F680}") },
    fc.constantFrom(
      "^",
      "$",
      "\\b",
      "\\B",
      "\\A",
      "\\z",
      "[a-c]",
      "[^a]",
      "[[:alpha:]_]",
      "(?i:k)",
      "(?m:^a$)",
    ),
  );
  const repeated = fc.tuple(atom, fc.constantFrom("", "", "*", "+", "?", "*?", "{2}", "{0,2}", "{1,}"));
  const sequence = fc
    .array(repeated, { maxLength: 4 })
    .map((parts) => parts.map((part) => part.join("")).join(""));
  const pattern = fc
    .array(fc.tuple(sequence, fc.boolean()), { minLength: 1, maxLength: 3 })
    .map((parts) => parts.map(([one, grouped]) => (grouped ? `(${one})*` : one)).join("|"));
  const text = fc.string({ unit: fc.constantFrom(..."abcK1_ \n-é", "\u{1F680}", "\u{212A}"), maxLength: 12 });

  it("[SAC-11] matches what the library's own matcher matches", () => {
    fc.assert(
      fc.property(pattern, text, (source, value) => {
        fc.pre(refusePattern(source) === undefined);
        expect(matches(source, value)).toBe(RE2JS.compile(source).test(value));
      }),
      { numRuns: 3_000, seed: 11 },
    );
  });

  it("[SAC-11] counts a step for each state that a character is in, whatever the text", () => {
    const stepsOf = (source: string, value: string) => {
      let steps = 0;
      compilePattern(source).test(value, (count) => {
        steps += count;
      });
      return steps;
    };
    const simple = stepsOf("^[a-z]+$", "a".repeat(10_000));
    expect(simple).toBeLessThan(70_000);
    // A backtracking engine needs 2^10000 steps for this one.
    expect(stepsOf("^(a+)+$", `${"a".repeat(10_000)}!`)).toBeLessThan(4 * simple);
    expect(stepsOf("(a?){100}b", "a".repeat(1_000))).toBeGreaterThan(100 * 1_000);
  });

  it("[SAC-11] has the size of its repetitions, each within the other", () => {
    expect(patternParts("abc")).toBe(23);
    expect(patternParts("a{100}b{100}")).toBe(220);
    expect(patternParts("(a{10}){10}")).toBe(20 + 110);
    expect(patternParts("(?:(?:a{50}){50}){50}")).toBeGreaterThan(100_000);
    expect(refusePattern("(?:(?:a{50}){50}){50}")).toBe("the pattern repeats too much");
    const uuid = "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$";
    expect(refusePattern(uuid)).toBeUndefined();
    expect(matches(uuid, "0f0e0d0c-0000-4000-8000-000000000001")).toBe(true);
  });
});
