import fc from "fast-check";
import { expect, it } from "vitest";
import { Acknowledgements } from "./acknowledgements.ts";

it("takes each number once, and acknowledges what is dealt with up to the first that is not", () => {
  const numbers = fc.uniqueArray(fc.bigInt(2n, 40n), { minLength: 1 }).map((all) => all.toSorted(compare));
  fc.assert(
    fc.property(numbers, fc.infiniteStream(fc.nat()), (all, chance) => {
      const acknowledgements = new Acknowledgements(1n);
      const underWay: bigint[] = [];
      const done = new Set<bigint>();
      const comes = [...all];
      while (comes.length > 0 || underWay.length > 0) {
        const { value } = chance.next();
        const next = value % 2 === 0 || underWay.length === 0 ? comes.shift() : undefined;
        if (next !== undefined) {
          expect(acknowledgements.begin(next)).toBe(true);
          underWay.push(next);
        } else {
          const [ended = 0n] = underWay.splice(value % underWay.length, 1);
          const before = acknowledgements.acknowledged;
          done.add(ended);
          expect(acknowledgements.end(ended)).toBe(acknowledgements.acknowledged > before);
        }
        const came = all.slice(0, all.length - comes.length);
        for (const again of came) expect(acknowledgements.begin(again)).toBe(false);
        expect(acknowledgements.outstanding).toBe(underWay.length);
        const open = came.find((one) => !done.has(one));
        const last = came.findLast((one) => open === undefined || one < open) ?? 1n;
        expect(acknowledgements.acknowledged).toBeGreaterThanOrEqual(last);
        expect(acknowledgements.acknowledged).toBeLessThan(open ?? last + 1n);
      }
    }),
  );
});

function compare(one: bigint, other: bigint): number {
  return Number(one - other);
}
