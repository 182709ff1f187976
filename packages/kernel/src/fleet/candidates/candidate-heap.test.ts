import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CandidateHeap, compareRanked, type Ranked } from "./candidate-heap.ts";
import { PlainOrder } from "./testing/plain-order.ts";

const numRuns = Number(process.env.BATON_FUZZ_RUNS ?? 500);

/** The order of A §3.2 step 3, by cross-multiplication of whole numbers of any size. */
function exactOrder(a: Ranked, b: Ranked): number {
  const [left, right] = [
    BigInt(a.activeTasks) * BigInt(b.maxTasks),
    BigInt(b.activeTasks) * BigInt(a.maxTasks),
  ];
  if (left !== right) return left < right ? -1 : 1;
  if (a.avgLatencyMs !== b.avgLatencyMs) return a.avgLatencyMs - b.avgLatencyMs;
  return a.instanceId < b.instanceId ? -1 : 1;
}

/** Few different values, so that ties are common; large ones, so that rounding would show. */
const tasks = fc.oneof(fc.nat(6), fc.integer({ min: 999_990, max: 1_000_000 }));
const load = fc.record({
  activeTasks: tasks,
  maxTasks: tasks.map((count) => Math.max(1, count)),
  avgLatencyMs: fc.constantFrom(0, 1, 1.5, 250),
  leaseUntilMs: fc.nat(20),
});

describe("the order of candidates", () => {
  it("[DIS-07] compares like whole numbers of any size", () => {
    const candidate = (instanceId: string) => load.map((values) => ({ instanceId, position: -1, ...values }));
    fc.assert(
      fc.property(candidate("a"), candidate("b"), (a, b) => {
        expect(Math.sign(compareRanked(a, b))).toBe(Math.sign(exactOrder(a, b)));
      }),
      { numRuns },
    );
  });

  it("[DIS-07] is that of a plain sort after any adding, moving and removing", () => {
    const step = fc.record({ id: fc.nat(40), action: fc.constantFrom("put", "put", "remove"), load });
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 120, size: "max" }),
        fc.nat(20),
        fc.nat(50),
        (steps, nowMs, max) => {
          const [heap, plain] = [new CandidateHeap(), new PlainOrder()];
          const known = new Map<number, Ranked>();
          for (const { id, action, load: values } of steps) {
            const instance = known.get(id) ?? { instanceId: `i${id}`, position: -1, ...values };
            for (const order of [heap, plain]) {
              if (action === "remove") order.remove(instance);
              else if (known.has(id)) order.move(Object.assign(instance, values));
              else order.add(instance);
            }
            if (action === "remove") known.delete(id);
            else known.set(id, instance);
          }
          expect(heap.first(max, nowMs)).toEqual(plain.first(max, nowMs));
          expect(heap.size).toBe(plain.size);
        },
      ),
      { numRuns },
    );
  });

  it("[DIS-07] takes 1/3 and 2/6 for equal, and 999998/999999 for less than 999999/1000000", () => {
    const heap = new CandidateHeap();
    const add = (instanceId: string, activeTasks: number, maxTasks: number) =>
      heap.add({ instanceId, activeTasks, maxTasks, avgLatencyMs: 0, leaseUntilMs: 1, position: -1 });
    add("d", 999_999, 1_000_000);
    add("c", 999_998, 999_999);
    add("b", 1, 3);
    add("a", 2, 6);
    expect(heap.first(4, 0).map(({ instanceId }) => instanceId)).toEqual(["a", "b", "c", "d"]);
  });

  it("[DIS-07] ignores the removal of an instance that it does not hold", () => {
    const heap = new CandidateHeap();
    const instance = { activeTasks: 0, maxTasks: 1, avgLatencyMs: 0, leaseUntilMs: 1, position: -1 };
    heap.add({ ...instance, instanceId: "a" });
    heap.remove({ ...instance, instanceId: "b" });
    expect(heap.size).toBe(1);
  });
});
