import { describe, expect, it } from "vitest";
import { limits } from "../../limits.ts";
import { errorLines } from "./error-lines.ts";

const selected = (lines: readonly string[]) =>
  errorLines(lines).map(({ text, leftOut }) => (leftOut > 0 ? `(${leftOut}) ${text}` : text));

const passed = (name: string) => [`ok - ${name}`, "  ---", "  duration_ms: 1.5", "  ..."];
const summary = [
  "1..41",
  "# tests 41",
  "# suites 0",
  "# pass 40",
  "# fail 1",
  "# cancelled 0",
  "# skipped 0",
  "# todo 0",
  "# duration_ms 389",
];

describe("what is shown of a command that failed", () => {
  it("[PIP-07] is the failed check and its messages, wherever they are in the output", () => {
    const failed = [
      "not ok 21 - all prices count",
      "  ---",
      "  duration_ms: 1.2",
      "  location: 'total.test.js:5:1'",
      "  failureType: 'testCodeFailure'",
      "  error: |-",
      "    Expected values to be strictly equal:",
      "    2 !== 5",
      "  code: 'ERR_ASSERTION'",
      "  expected: 5",
      "  actual: 2",
      "  ...",
    ];
    const many = Array.from({ length: 20 }, (_, at) => passed(`number ${at}`)).flat();
    const lines = ["TAP version 13", ...many, ...failed, ...many, ...summary];
    const output = selected(lines);
    expect(output.length).toBeLessThanOrEqual(limits.outputLines);
    const parts = ["not ok 21 - all prices count", "    2 !== 5", "  expected: 5", "  actual: 2", "# fail 1"];
    for (const part of parts) expect(output.some((line) => line.endsWith(part))).toBe(true);
    expect(output[0]).toBe("TAP version 13");
    expect(output.join("\n")).not.toContain("ok - number 3");
  });

  it("[PIP-07] is lines that speak of errors, and not of none; and the first and the last where there is room", () => {
    const noise = Array.from({ length: 60 }, (_, at) => `compiling ${at}`);
    const lines = [
      "> build",
      ...noise,
      "src/a.ts(3,1): error TS2304: Cannot find name 'x'.",
      ...noise,
      "0 errors in b",
      "done",
    ];
    const output = selected(lines);
    expect(output[0]).toBe("> build");
    expect(output).toContain("(60) src/a.ts(3,1): error TS2304: Cannot find name 'x'.");
    expect(output.at(-1)).toBe("done");
    expect(output.length).toBe(limits.outputLines);
  });

  it("[PIP-07] is all of it where it is short, and never more than so many lines", () => {
    expect(selected(["one", "two"])).toEqual(["one", "two"]);
    expect(selected([])).toEqual([]);
    const worst = Array.from({ length: 500 }, (_, at) => `not ok ${at} - it failed`);
    expect(selected(worst)).toHaveLength(limits.outputLines);
  });
});
