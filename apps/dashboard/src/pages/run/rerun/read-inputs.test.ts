import { describe, expect, it } from "vitest";
import { readInputs } from "./read-inputs.ts";

describe("inputs that somebody typed", () => {
  it("[TUR-08] are an object, or nothing", () => {
    expect(readInputs(' {"size": "large"} ')).toEqual({ ok: true, value: { size: "large" } });
    expect(readInputs("  ")).toEqual({ ok: true, value: undefined });
  });

  it.each(["[1]", "3", "null", '"large"'])("[TUR-08] %s is none", (text) => {
    expect(readInputs(text)).toMatchObject({
      ok: false,
      problem: expect.stringContaining("Write an object"),
    });
  });

  it("[TUR-08] what is no JSON is told as such", () => {
    expect(readInputs("{size")).toMatchObject({ ok: false, problem: expect.stringContaining("no JSON") });
  });
});
