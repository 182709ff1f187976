import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Clock } from "../../ports/clock.ts";
import type { StoredTimer } from "../../ports/store.ts";
import { Timers } from "./timers.ts";

/** A clock that calls back before anything else happens. */
class StepClock implements Clock {
  readonly #alarms = new Set<{ readonly atMs: number; readonly callback: () => void }>();
  /** What it can wait at once, as the timers of a machine. */
  readonly #longestMs: number;
  #nowMs = 0;

  constructor(longestMs = Number.POSITIVE_INFINITY) {
    this.#longestMs = longestMs;
  }

  readonly nowMs = () => this.#nowMs;
  readonly soon = (callback: () => void) => callback();
  readonly after = (delayMs: number, callback: () => void) => {
    const alarm = { atMs: this.#nowMs + Math.min(delayMs, this.#longestMs), callback };
    this.#alarms.add(alarm);
    return () => void this.#alarms.delete(alarm);
  };

  get alarms(): number {
    return this.#alarms.size;
  }

  pass(ms: number): void {
    const untilMs = this.#nowMs + ms;
    for (;;) {
      const [next] = [...this.#alarms].filter(({ atMs }) => atMs <= untilMs).sort((a, b) => a.atMs - b.atMs);
      if (!next) break;
      this.#alarms.delete(next);
      this.#nowMs = next.atMs;
      next.callback();
    }
    this.#nowMs = untilMs;
  }
}

function setUp(longestMs?: number) {
  const clock = new StepClock(longestMs);
  const rung: { readonly timer: StoredTimer; readonly atMs: number }[] = [];
  const timers = new Timers(clock, (timer) => rung.push({ timer, atMs: clock.nowMs() }));
  return { clock, rung, timers };
}

const timer = (timerId: string, atMs: number): StoredTimer => ({ pipelineId: "p", timerId, atMs });

describe("timers", () => {
  it("fire as a plain list of timers would, whatever is set, replaced and cleared", () => {
    const step = fc.oneof(
      { weight: 4, arbitrary: fc.record({ set: fc.nat(15), inMs: fc.integer({ min: -5, max: 60 }) }) },
      { weight: 2, arbitrary: fc.record({ clear: fc.nat(15) }) },
      { weight: 2, arbitrary: fc.record({ pass: fc.nat(20) }) },
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 150 }), fc.constantFrom(7, 1_000_000), (steps, longestMs) => {
        const { clock, rung, timers } = setUp(longestMs);
        const reference = new Map<string, StoredTimer>();
        for (const one of steps) {
          if ("set" in one) {
            const set = timer(`t${one.set}`, clock.nowMs() + one.inMs);
            timers.set(set);
            reference.set(set.timerId, set);
          } else if ("clear" in one) {
            timers.clear("p", `t${one.clear}`);
            reference.delete(`t${one.clear}`);
          } else {
            const fromMs = clock.nowMs();
            clock.pass(one.pass);
            const due = [...reference.values()].filter(({ atMs }) => atMs <= clock.nowMs());
            for (const { timerId } of due) reference.delete(timerId);
            const seen = rung.splice(0);
            expect(new Set(seen.map((ring) => ring.timer))).toEqual(new Set(due));
            expect(seen).toHaveLength(due.length);
            for (const {
              timer: { atMs },
              atMs: rangAtMs,
            } of seen)
              expect(rangAtMs).toBe(Math.max(atMs, fromMs));
          }
        }
        clock.pass(1_000);
        expect(rung.map((ring) => ring.timer.timerId).sort()).toEqual([...reference.keys()].sort());
        expect(clock.alarms).toBe(0);
      }),
      { numRuns: 300 },
    );
  });

  it("ring the earliest first", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(1_000), { maxLength: 200 }), (times) => {
        const { clock, rung, timers } = setUp();
        for (const [n, atMs] of times.entries()) timers.set(timer(`t${n}`, atMs));
        clock.pass(1_000);
        expect(rung.map((ring) => ring.atMs)).toEqual(times.toSorted((a, b) => a - b));
      }),
      { numRuns: 100 },
    );
  });

  it("of two pipelines may have the same name", () => {
    const { clock, rung, timers } = setUp();
    timers.set({ pipelineId: "p", timerId: "deadline", atMs: 5 });
    timers.set({ pipelineId: "q", timerId: "deadline", atMs: 6 });
    timers.clear("p", "deadline");
    clock.pass(10);
    expect(rung.map((ring) => ring.timer.pipelineId)).toEqual(["q"]);
  });

  it("may set another timer while they fire", () => {
    const clock = new StepClock();
    const fired: string[] = [];
    const timers: Timers = new Timers(clock, ({ timerId }) => {
      fired.push(timerId);
      if (fired.length < 4) timers.set(timer(`${timerId}+`, clock.nowMs() + (fired.length === 2 ? 0 : 10)));
    });
    timers.set(timer("t", 10));
    clock.pass(100);
    expect(fired).toEqual(["t", "t+", "t++", "t+++"]);
  });

  it("are silent when they were stopped, also those that are set later", () => {
    const { clock, rung, timers } = setUp();
    timers.set(timer("a", 5));
    timers.stop();
    timers.set(timer("b", 6));
    clock.pass(100);
    expect(rung).toEqual([]);
    expect(clock.alarms).toBe(0);
  });
});
