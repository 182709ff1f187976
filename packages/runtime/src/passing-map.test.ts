import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PassingMap } from "./passing-map.ts";

describe("a map of what comes and goes", () => {
  it("does what a map does, in the same order", () => {
    const key = fc.nat({ max: 200 });
    const change = fc.oneof(
      fc.tuple(fc.constant("set" as const), key),
      fc.tuple(fc.constant("delete" as const), key),
    );
    const property = fc.property(fc.array(change, { maxLength: 1_000 }), (changes) => {
      const [passing, map] = [new PassingMap<number, number>(), new Map<number, number>()];
      for (const [place, [what, of]] of changes.entries()) {
        if (what === "set") {
          passing.set(of, place);
          map.set(of, place);
        } else expect(passing.delete(of)).toBe(map.delete(of));
        expect(passing.has(of)).toBe(map.has(of));
        expect(passing.get(of)).toBe(map.get(of));
        expect(passing.size).toBe(map.size);
      }
      expect([...passing]).toEqual([...map]);
      expect([...passing.keys()]).toEqual([...map.keys()]);
      expect([...passing.values()]).toEqual([...map.values()]);
    });
    fc.assert(property, { numRuns: Number(process.env.BATON_FUZZ_RUNS) });
  });

  it("lets what has gone be collected with what is young", () => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as (how: { type: "minor" | "major" }) => void;
    const map = new PassingMap<number, unknown>();
    collect({ type: "major" });
    const before = process.memoryUsage().heapUsed;
    for (let place = 0; place < 20_000; place++) {
      map.set(
        place,
        Array.from({ length: 200 }, () => ({})),
      );
      map.delete(place - 64);
      if (place % 200 === 0) collect({ type: "minor" });
    }
    collect({ type: "minor" });
    // Of 200 MB that have passed through; a map of the language has most of them by then.
    expect((process.memoryUsage().heapUsed - before) / 1e6).toBeLessThan(20);
  });
});
