import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LeaseCalendar } from "./lease-calendar.ts";
import { PlainCalendar } from "./testing/plain-calendar.ts";

const numRuns = Number(process.env.BATON_FUZZ_RUNS ?? 500);

describe("the lease calendar", () => {
  it("[DIS-03] finds the leases that a scan of all would find, after any renewals and ends", () => {
    const step = fc.record({
      id: fc.nat(20),
      action: fc.constantFrom("renew", "renew", "end"),
      untilMs: fc.nat(5_000),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80, size: "max" }), fc.nat(6_000), (steps, nowMs) => {
        const calendar = new LeaseCalendar<{ id: number; leaseUntilMs: number }>();
        const plain = new PlainCalendar<{ id: number; leaseUntilMs: number }>();
        const newHolders = () => Array.from({ length: 21 }, (_, id) => ({ id, leaseUntilMs: 0 }));
        const [inCalendar, inPlain] = [newHolders(), newHolders()];
        for (const { id, action, untilMs } of steps) {
          for (const [leases, holders] of [[calendar, inCalendar] as const, [plain, inPlain] as const]) {
            const holder = holders[id];
            if (holder && action === "renew") leases.renew(holder, untilMs);
            else if (holder) leases.end(holder);
          }
        }
        const ids = (found: readonly { id: number }[]) => found.map(({ id }) => id).sort((a, b) => a - b);
        expect(ids(calendar.lapsed(nowMs))).toEqual(ids(plain.lapsed(nowMs)));
      }),
      { numRuns },
    );
  });
});
