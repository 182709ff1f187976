import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { box, layOut, type Node } from "./layout.ts";

/** Stages that depend on earlier ones only. */
const anyGraph = fc.array(fc.array(fc.nat(30), { maxLength: 4 }), { maxLength: 30 }).map((all) =>
  all.map((before, place): Node => {
    const dependsOn = [...new Set(before.filter((other) => other < place))].map((other) => `s${other}`);
    return { id: `s${place}`, dependsOn };
  }),
);

describe("the layout of a graph", () => {
  it("places every stage right of its dependencies, without overlap", () => {
    fc.assert(
      fc.property(anyGraph, (nodes) => {
        const { nodes: placed, edges, width, height } = layOut(nodes);
        const at = new Map(placed.map((one) => [one.id, one]));
        expect(placed.map(({ id }) => id)).toEqual(nodes.map(({ id }) => id));
        expect(edges).toHaveLength(nodes.reduce((sum, { dependsOn }) => sum + dependsOn.length, 0));
        for (const { id, dependsOn } of nodes) {
          for (const before of dependsOn) expect(at.get(before)?.x ?? 0).toBeLessThan(at.get(id)?.x ?? 0);
        }
        for (const [place, one] of placed.entries()) {
          expect(one.x + box.width).toBeLessThanOrEqual(width);
          expect(one.y + box.height).toBeLessThanOrEqual(height);
          for (const other of placed.slice(place + 1)) {
            const isApart = one.x !== other.x || Math.abs(one.y - other.y) >= box.height;
            expect(isApart).toBe(true);
          }
        }
      }),
    );
  });

  it("draws every edge from the right side of one stage to the left side of the other", () => {
    fc.assert(
      fc.property(anyGraph, (nodes) => {
        const { nodes: placed, edges } = layOut(nodes);
        const at = new Map(placed.map((one) => [one.id, one]));
        for (const { from, to, points } of edges) {
          expect(points[0]?.[0]).toBe((at.get(from)?.x ?? 0) + box.width);
          expect(points.at(-1)?.[0]).toBe(at.get(to)?.x);
        }
      }),
    );
  });

  it("places all stages despite cycles and unknown names", () => {
    const { nodes } = layOut([
      { id: "a", dependsOn: ["b", "nobody"] },
      { id: "b", dependsOn: ["a"] },
    ]);
    expect(nodes).toHaveLength(2);
  });
});
