import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Seat } from "./seat.ts";
import { SeatHeap } from "./seat-heap.ts";

const numRuns = Number(process.env.BATON_FUZZ_RUNS ?? 500);

/** The order of A §3.2 step 3, by cross-multiplication of whole numbers of any size. */
function plainOrder(a: Seat, b: Seat): number {
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

describe("the order of seats", () => {
  it("[DIS-07] agrees with a plain sort after any adding, moving and removing", () => {
    const step = fc.record({ seat: fc.nat(40), what: fc.constantFrom("put", "put", "remove"), load });
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 120, size: "max" }),
        fc.nat(20),
        fc.nat(50),
        (steps, nowMs, most) => {
          const heap = new SeatHeap();
          const plain = new Map<string, Seat>();
          for (const { seat, what, load: values } of steps) {
            const id = `i${seat}`;
            const known = plain.get(id);
            if (what === "remove") {
              if (known) heap.remove(known);
              plain.delete(id);
            } else if (known) {
              heap.move(Object.assign(known, values));
            } else {
              const added: Seat = { instanceId: id, position: -1, ...values };
              heap.add(added);
              plain.set(id, added);
            }
          }
          const live = [...plain.values()]
            .filter(({ leaseUntilMs }) => leaseUntilMs > nowMs)
            .sort(plainOrder);
          expect(heap.first(most, nowMs)).toEqual(live.slice(0, most));
          expect(heap.size).toBe(plain.size);
        },
      ),
      { numRuns },
    );
  });

  it("[DIS-07] takes 1/3 and 2/6 for equal, and 999998/999999 for less than 999999/1000000", () => {
    const heap = new SeatHeap();
    const add = (instanceId: string, activeTasks: number, maxTasks: number) =>
      heap.add({ instanceId, activeTasks, maxTasks, avgLatencyMs: 0, leaseUntilMs: 1, position: -1 });
    add("d", 999_999, 1_000_000);
    add("c", 999_998, 999_999);
    add("b", 1, 3);
    add("a", 2, 6);
    expect(heap.first(4, 0).map(({ instanceId }) => instanceId)).toEqual(["a", "b", "c", "d"]);
  });

  it("[DIS-07] leaves a seat alone that it does not hold", () => {
    const heap = new SeatHeap();
    const seat = { activeTasks: 0, maxTasks: 1, avgLatencyMs: 0, leaseUntilMs: 1, position: -1 };
    heap.add({ ...seat, instanceId: "a" });
    heap.remove({ ...seat, instanceId: "b" });
    expect(heap.size).toBe(1);
  });
});
