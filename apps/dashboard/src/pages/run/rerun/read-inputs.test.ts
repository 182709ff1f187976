import { describe, expect, it } from "vitest";
import { readInputs } from "./read-inputs.ts";

describe("typed inputs", () => {
  it("[TUR-08] are an object or nothing", () => {
    expect(readInputs(' {"size": "large"} ')).toEqual({ ok: true, value: { size: "large" } });
    expect(readInputs("  ")).toEqual({ ok: true, value: undefined });
  });

  it.each(["[1]", "3", "null", '"large"'])("[TUR-08] %s is not an object", (text) => {
    expect(readInputs(text)).toMatchObject({
      ok: false,
      problem: expect.stringContaining("Enter an object"),
    });
  });

  it("[TUR-08] report invalid JSON", () => {
    expect(readInputs("{size")).toMatchObject({
      ok: false,
      problem: expect.stringContaining("Invalid JSON"),
    });
  });
});
