import { describe, expect, it } from "vitest";
import { countHidden, findHidden } from "./hidden-characters.ts";

const codesIn = (text: string) => findHidden(text).flatMap((piece) => piece.hidden?.code ?? []);

describe("characters that a reader of a change cannot see", () => {
  it.each([
    ["bidirectional overrides", "a\u202eb\u202cc", ["U+202E", "U+202C"]],
    ["bidirectional isolates", "\u2066x\u2069", ["U+2066", "U+2069"]],
    ["zero width characters", "ad\u200bmin\ufeff\u2060", ["U+200B", "U+FEFF", "U+2060"]],
    ["fillers that pass as letters", "const \u3164 = \u115f", ["U+3164", "U+115F"]],
    ["controls", "a\u0000b\u001b[2K\u0008", ["U+0000", "U+001B", "U+0008"]],
    [
      "blanks that look like a space",
      "a\u00a0b\u2003c\u3000d\u2800",
      ["U+00A0", "U+2003", "U+3000", "U+2800"],
    ],
    ["separators", "a\u2028b\u2029", ["U+2028", "U+2029"]],
    ["tags and selectors beyond the first plane", "\u{e0041}\u{e0100}", ["U+E0041", "U+E0100"]],
    ["half a surrogate pair", "a\ud800b", ["U+D800"]],
    ["a carriage return within a line", "shown\rhidden", ["U+000D"]],
    ["a joiner outside of emoji", "a\u200db", ["U+200D"]],
  ])("are found: %s", (_, text, codes) => {
    expect(codesIn(text)).toEqual(codes);
    expect(
      findHidden(text)
        .map((piece) => piece.text)
        .join(""),
    ).toBe(text);
    expect(countHidden(text)).toBe(codes.length);
  });

  it.each([
    ["plain text", "if (a < b) return 'ü – 漢字';"],
    ["indentation by tabs", "\t\treturn;"],
    ["emoji", "\u2764\ufe0f \u{1f469}\u200d\u{1f4bb} \u{1f44d}\u{1f3fd}"],
    ["nothing", ""],
  ])("are not found in %s", (_, text) => {
    expect(codesIn(text)).toEqual([]);
  });

  it("do not include the carriage return that ends a line, which is visible all the same", () => {
    expect(countHidden("text\r")).toBe(0);
    expect(codesIn("text\r")).toEqual(["U+000D"]);
  });
});
