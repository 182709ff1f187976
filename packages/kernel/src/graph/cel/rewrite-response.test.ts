import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { referenceTo } from "../reference.ts";
import { parseCondition } from "./ast.ts";
import { rewriteResponse } from "./rewrite-response.ts";

function rewrite(source: string, id = "A"): string {
  return rewriteResponse(parseCondition(source), id);
}

describe("rewriteResponse", () => {
  it.each([
    ['response.status == "success"', 'A.status == "success"'],
    ["response.data[response.message] == response.data.response", "A.data[A.message] == A.data.response"],
    ['"response" == response.message // response', '"response" == A.message // response'],
    [
      "'it\\'s a response' == r'response\\' || response.data.x",
      "'it\\'s a response' == r'response\\' || A.data.x",
    ],
    ["'😀' == response.message", "'😀' == A.message"],
    ["has(response.data.response.response)", "has(A.data.response.response)"],
    [
      "response.data.l.all(response, response.x == 1) && response.data.y",
      "A.data.l.all(response, response.x == 1) && A.data.y",
    ],
    [
      "response.data.l.map(x, response.data.f == x) == {response.message: [response.data]}",
      "A.data.l.map(x, A.data.f == x) == {A.message: [A.data]}",
    ],
    [
      "responses.x == my_response.y && response_.z && f.response()",
      "responses.x == my_response.y && response_.z && f.response()",
    ],
    ["response\n  .data . x", "A\n  .data . x"],
  ])("[SAC-05] %s", (source, expected) => {
    expect(rewrite(source)).toBe(expected);
  });

  it("[SAC-05] calls a node by its id, or through nodes where the id is no name", () => {
    expect(rewrite("response.data.x", "security-review")).toBe('nodes["security-review"].data.x');
    expect(rewrite("response.data.x", 'a "quoted" id')).toBe('nodes["a \\"quoted\\" id"].data.x');
    expect(["in", "int", "nodes", "response", "input", "1st", "é"].map(referenceTo)).toEqual(
      ["in", "int", "nodes", "response", "input", "1st", "é"].map((id) => `nodes["${id}"]`),
    );
  });

  it("[SAC-05] touches free names only, never strings, fields or a macro's own variables", () => {
    // Each piece with what it has to become.
    const text = fc
      .string({ unit: fc.constantFrom("response", " ", ".", "\\", "'", '"', "x", "😀", "//") })
      .map((s) => JSON.stringify(s));
    const leaf = fc.oneof(
      fc.constant(["response.data.a", "A.data.a"] as const),
      fc.constant(["x.response.response", "x.response.response"] as const),
      fc.constant([
        "l.exists(response, response.a == response.b)",
        "l.exists(response, response.a == response.b)",
      ] as const),
      fc.constant([
        "response.data.exists(v, v == response.message)",
        "A.data.exists(v, v == A.message)",
      ] as const),
      text.map((literal) => [literal, literal] as const),
    );
    const { tree } = fc.letrec<{ tree: readonly [string, string] }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        leaf,
        fc
          .tuple(
            tie("tree"),
            fc.constantFrom("==", "&&", "||", "in", "+"),
            tie("tree"),
            fc.constantFrom(" ", "\n", " // response '\n"),
          )
          .map(([[a, b], op, [c, d], gap]) => [`(${a}${gap}${op} ${c})`, `(${b}${gap}${op} ${d})`] as const),
        tie("tree").map(([a, b]) => [`[${a}]`, `[${b}]`] as const),
      ),
    }));
    const check = fc.property(tree, ([source, expected]) => {
      expect(rewrite(source)).toBe(expected);
    });
    fc.assert(check, { numRuns: Number(process.env.BATON_FUZZ_RUNS) });
  });
});
