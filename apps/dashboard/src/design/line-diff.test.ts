import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { diffLines, hunksOf } from "./line-diff.ts";

const anyText = fc
  .array(fc.constantFrom("a", "b", "c", ""), { maxLength: 12 })
  .map((lines) => lines.join("\n"));

describe("a difference", () => {
  it("contains both texts", () => {
    fc.assert(
      fc.property(anyText, anyText, (before, after) => {
        const lines = diffLines(before, after);
        const without = (kind: "add" | "del") =>
          lines.filter((line) => line.kind !== kind).map(({ text }) => text);
        expect(without("add").join("\n")).toBe(before);
        expect(without("del").join("\n")).toBe(after);
      }),
    );
  });

  it("is minimal for an inserted line", () => {
    const kinds = diffLines("a\nb\nc", "a\nb\nnew\nc").map(({ kind }) => kind);
    expect(kinds).toEqual(["same", "same", "add", "same"]);
  });

  it("has changes with context, and no hunks without changes", () => {
    const before = Array.from({ length: 20 }, (_, place) => `line ${place}`);
    const after = before.with(3, "other").with(15, "another");
    const hunks = hunksOf(diffLines(before.join("\n"), after.join("\n")));
    expect(hunks.map((hunk) => hunk.length)).toEqual([6, 6]);
    expect(hunksOf(diffLines("a", "a"))).toEqual([]);
  });
});
