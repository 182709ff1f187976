import { describe, expect, it } from "vitest";
import { brief } from "./brief.ts";

describe("a text that is shortened", () => {
  it("[OBS-05] ends before a word that does not fit, so that no half of a secret is left", () => {
    const secret = `github_pat_${"k3".repeat(20)}`;
    const before = `${"so it is ".repeat(226)}it has`;
    expect(before.length).toBeLessThan(2_048);
    expect(`${before} ${secret}`.length).toBeGreaterThan(2_048);
    const left = secret.length + 1 + " at last".length;
    expect(brief(`${before} ${secret} at last`)).toBe(`${before}… (${left} more characters)`);
  });

  it("keeps a word that ends where the limit is", () => {
    const text = "x".repeat(2_047);
    expect(brief(`a${text} more`)).toBe(`a${text}… (5 more characters)`);
  });

  it("cuts a word of great length, and stays as it is up to the limit", () => {
    expect(brief("x".repeat(3_000))).toBe(`${"x".repeat(2_048)}… (952 more characters)`);
    expect(brief("x".repeat(2_048))).toBe("x".repeat(2_048));
  });
});
