import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { referenceTo } from "../reference.ts";
import { parseCondition } from "./ast.ts";
import { renameNodes } from "./rename-nodes.ts";

const ids: Readonly<Record<string, string>> = { A: "B", "a-b": "C", nodes: "D", l: "sub.l" };

function renamed(source: string): string {
  return renameNodes(parseCondition(source), (id) => ids[id]);
}

describe("renaming the nodes of a condition", () => {
  it.each([
    ['A.status == "success"', 'B.status == "success"'],
    ["A.data[A.message] == A.data.A", "B.data[B.message] == B.data.A"],
    ['"A" == A.message // A', '"A" == B.message // A'],
    ["'it\\'s A' == r'A\\' || A.data.x", "'it\\'s A' == r'A\\' || B.data.x"],
    ["'😀' == A.message", "'😀' == B.message"],
    ["has(A.data.A.A)", "has(B.data.A.A)"],
    ["A.data.l.all(x, x.A == 1) && A.data.y", "B.data.l.all(x, x.A == 1) && B.data.y"],
    [
      "A.data.f.map(l, A.data.f == l) == {A.message: [A.data]}",
      "B.data.f.map(l, B.data.f == l) == {B.message: [B.data]}",
    ],
    ["AA.x == my_A.y && A_.z && f.A()", "AA.x == my_A.y && A_.z && f.A()"],
    ["A\n  .data . x", "B\n  .data . x"],
    ["nodes['a-b'].data.x == nodes.A.data.x", "C.data.x == B.data.x"],
    ['nodes[ "a-b" ].ran && nodes["other"].ran', 'C.ran && nodes["other"].ran'],
    ['nodes["nodes"].ran', "D.ran"],
    ["l.data.x == 1", 'nodes["sub.l"].data.x == 1'],
    ["response.data.A", "response.data.A"],
  ])("[SAC-05] %s", (source, expected) => {
    expect(renamed(source)).toBe(expected);
  });

  it("[SAC-05] calls a node by its id, or through nodes where the id is no name", () => {
    expect(["in", "int", "nodes", "response", "input", "1st", "é"].map(referenceTo)).toEqual(
      ["in", "int", "nodes", "response", "input", "1st", "é"].map((id) => `nodes["${id}"]`),
    );
  });

  it("[SAC-05] touches free names only, never strings, fields or a macro's own variables", () => {
    // Each piece with what it has to become.
    const text = fc
      .string({ unit: fc.constantFrom("A", " ", ".", "\\", "'", '"', "x", "😀", "//") })
      .map((s) => JSON.stringify(s));
    const leaf = fc.oneof(
      fc.constant(["A.data.a", "B.data.a"] as const),
      fc.constant(["x.A.A", "x.A.A"] as const),
      fc.constant(["x.exists(A, A.a == A.b)", "x.exists(A, A.a == A.b)"] as const),
      fc.constant(["A.data.exists(v, v == A.message)", "B.data.exists(v, v == B.message)"] as const),
      fc.constant(['nodes["A"].message', "B.message"] as const),
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
            fc.constantFrom(" ", "\n", " // A '\n"),
          )
          .map(([[a, b], op, [c, d], gap]) => [`(${a}${gap}${op} ${c})`, `(${b}${gap}${op} ${d})`] as const),
        tie("tree").map(([a, b]) => [`[${a}]`, `[${b}]`] as const),
      ),
    }));
    const check = fc.property(tree, ([source, expected]) => {
      expect(renamed(source)).toBe(expected);
    });
    fc.assert(check, { numRuns: Number(process.env.BATON_FUZZ_RUNS) });
  });
});
