import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findJsonFault } from "./json-fault.ts";

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe("where a text stops being JSON", () => {
  it.each([
    ["name: Bob", 1, 1],
    ['{ "name": Bob }', 1, 11],
    ['{\n  "name": "Bob",\n  size: 3\n}', 3, 3],
    ['{ "a": 1, }', 1, 11],
    ["{ 'a': 1 }", 1, 3],
    ['{ "a": 1 ', 1, 10],
    ['{ "a": "x', 1, 8],
    ["[1, 2] 3", 1, 8],
    ["", 1, 1],
  ])("[CON-05] %j: line %i, column %i", (text, line, column) => {
    expect(findJsonFault(text)).toEqual({ line, column });
  });

  it("[CON-05] is found in every text that is not JSON, and in no other", () => {
    const near = fc
      .tuple(fc.json(), fc.nat(), fc.constantFrom("", ",", "}", '"', "x", "1", " ", "\\"))
      .map(
        ([json, at, sign]) =>
          json.slice(0, at % (json.length + 1)) + sign + json.slice((at % (json.length + 1)) + 1),
      );
    fc.assert(
      fc.property(fc.oneof(fc.json(), near, fc.string()), (text) => {
        expect(findJsonFault(text) === undefined).toBe(parses(text));
      }),
      { numRuns: 500 },
    );
  });
});
