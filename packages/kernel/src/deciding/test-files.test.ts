import { describe, expect, it } from "vitest";
import { isTestFile } from "./file-words.ts";

describe("a path that tests usually have", () => {
  it.each([
    ...["slug.test.js", "src/slug.spec.ts", "pkg/slug_test.go", "test_slug.py", "tests/slug.py"],
    ...["src/test/java/SlugTest.java", "spec/slug_spec.rb", "app/__tests__/slug.js", "conftest.py"],
    ...["src/__snapshots__/slug.js.snap", "e2e/login.ts", "SlugTests.cs", "features/login.feature"],
  ])("is %s", (path) => {
    expect(isTestFile(path)).toBe(true);
  });

  it.each([
    "slug.js",
    "src/latest.ts",
    "contest.py",
    "attestation/read.go",
    "docs/testing.md",
    "Latest.java",
  ])("is not %s", (path) => {
    expect(isTestFile(path)).toBe(false);
  });
});
