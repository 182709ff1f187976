import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Reached } from "../testing/reached.ts";
import {
  type Breaker,
  type BreakerMove,
  type BreakerSettings,
  breakerAt,
  breakerState,
  breakerTransitions,
  closedBreaker,
  type DispatchOutcome,
  sendThrough,
  settleThrough,
} from "./breaker.ts";

const reached = new Reached(breakerTransitions);
const settings: BreakerSettings = { errorThreshold: 3, windowMs: 60_000, halfOpenAfterMs: 120_000 };

/** A breaker with the dispatches that go through it. */
class Watched {
  breaker: Breaker = closedBreaker;
  readonly settings: BreakerSettings;

  constructor(given: BreakerSettings = settings) {
    this.settings = given;
  }

  at(nowMs: number) {
    return breakerAt(this.breaker, nowMs);
  }

  visible(nowMs: number) {
    return breakerState(this.breaker, nowMs);
  }

  send(dispatchId: string, nowMs: number): void {
    this.#make(sendThrough(this.breaker, dispatchId, nowMs));
  }

  end(dispatchId: string, outcome: DispatchOutcome, nowMs: number): void {
    this.#make(settleThrough(this.breaker, dispatchId, outcome, nowMs, this.settings));
  }

  #make(move: BreakerMove | undefined): void {
    if (!move) return;
    expect(move.from).toBe(this.breaker.state);
    reached.see(move.from, move.transition, move.breaker.state);
    this.breaker = move.breaker;
  }
}

function tripped(atMs: number): Watched {
  const breaker = new Watched();
  for (const id of ["a", "b", "c"]) breaker.end(id, "failed", atMs);
  return breaker;
}

describe("a circuit breaker", () => {
  it("[DIS-05] opens when enough failures lie within the window, successes in between or not", () => {
    const breaker = new Watched();
    breaker.end("a", "failed", 0);
    breaker.end("b", "failed", 30_000);
    breaker.end("c", "succeeded", 40_000);
    breaker.end("d", "withdrawn", 50_000);
    expect(breaker.at(59_999)).toBe("closed");
    breaker.end("e", "failed", 59_999);
    expect(breaker.at(59_999)).toBe("open");
  });

  it("[DIS-05] stays closed when the failures are further apart, and forgets old ones", () => {
    const breaker = new Watched();
    for (const nowMs of [0, 30_000, 60_000, 90_000, 120_000]) breaker.end("a", "failed", nowMs);
    expect(breaker.at(120_000)).toBe("closed");
    breaker.end("b", "succeeded", 500_000);
    expect(breaker.breaker).toEqual(closedBreaker);
  });

  it("[DIS-05] lets one probe through when its time is up, and closes when that succeeds", () => {
    const breaker = tripped(1_000);
    expect(breaker.at(120_999)).toBe("open");
    expect(breaker.at(121_000)).toBe("half-open");
    breaker.send("probe", 121_000);
    expect(breaker.at(121_000)).toBe("open");
    breaker.end("probe", "succeeded", 130_000);
    expect(breaker.at(130_000)).toBe("closed");
  });

  it("[DIS-05] opens again for as long when the probe fails", () => {
    const breaker = tripped(0);
    breaker.send("probe", 120_000);
    breaker.end("probe", "failed", 125_000);
    expect(breaker.at(244_999)).toBe("open");
    expect(breaker.at(245_000)).toBe("half-open");
  });

  it("[DIS-05] lets another probe through when one was withdrawn", () => {
    const breaker = tripped(0);
    breaker.send("probe", 120_000);
    breaker.end("probe", "withdrawn", 121_000);
    expect(breaker.at(121_000)).toBe("half-open");
    breaker.send("another", 122_000);
    expect(breaker.at(122_000)).toBe("open");
    breaker.end("another", "succeeded", 123_000);
    expect(breaker.at(123_000)).toBe("closed");
  });

  it("[DIS-05] is displayed as half-open until its probe has ended, and not as open meanwhile", () => {
    const breaker = tripped(0);
    expect(breaker.visible(119_999)).toBe("open");
    expect(breaker.visible(120_000)).toBe("half-open");
    breaker.send("probe", 120_000);
    expect(breaker.visible(300_000)).toBe("half-open");
    breaker.end("probe", "withdrawn", 300_000);
    expect(breaker.visible(300_000)).toBe("half-open");
    breaker.send("another", 300_000);
    breaker.end("another", "failed", 301_000);
    expect(breaker.visible(301_000)).toBe("open");
    breaker.send("last", 421_000);
    breaker.end("last", "succeeded", 422_000);
    expect(breaker.visible(422_000)).toBe("closed");
  });

  it("[DIS-05] ignores dispatches that were sent before it opened", () => {
    const breaker = tripped(0);
    breaker.end("old", "succeeded", 1_000);
    expect(breaker.at(1_000)).toBe("open");
    breaker.send("probe", 120_000);
    breaker.end("old", "succeeded", 121_000);
    breaker.end("older", "failed", 121_000);
    expect(breaker.at(121_000)).toBe("open");
    breaker.end("probe", "succeeded", 122_000);
    expect(breaker.at(122_000)).toBe("closed");
  });

  it("[DIS-05] agrees with a plain twin", () => {
    const step = fc.record({
      afterMs: fc.nat(40),
      dispatch: fc.nat(5),
      what: fc.constantFrom("send", "succeeded", "failed", "withdrawn"),
    });
    const anySettings = fc.record({
      errorThreshold: fc.integer({ min: 1, max: 4 }),
      windowMs: fc.integer({ min: 1, max: 100 }),
      halfOpenAfterMs: fc.integer({ min: 1, max: 100 }),
    });
    fc.assert(
      fc.property(anySettings, fc.array(step, { maxLength: 60, size: "max" }), (given, steps) => {
        const [breaker, plain] = [new Watched(given), new PlainBreaker(given)];
        let nowMs = 0;
        for (const { afterMs, dispatch, what } of steps) {
          nowMs += afterMs;
          const id = `d${dispatch}`;
          if (what === "send") {
            if (breaker.at(nowMs) !== "open") breaker.send(id, nowMs);
            plain.send(id, nowMs);
          } else {
            breaker.end(id, what as DispatchOutcome, nowMs);
            plain.end(id, what, nowMs);
          }
          expect(breaker.at(nowMs)).toBe(plain.at(nowMs));
        }
      }),
      { numRuns: Number(process.env.BATON_FUZZ_RUNS ?? 500) },
    );
  });

  it("[DIS-05] every transition of the table has been reached by the tests above", () => {
    expect(reached.missing).toEqual([]);
  });
});

/** The same in other words: it keeps everything that ever happened, and asks what follows from it. */
class PlainBreaker {
  readonly #settings: BreakerSettings;
  #failures: number[] = [];
  #openedMs: number | undefined;
  #probes: string[] = [];

  constructor(settings: BreakerSettings) {
    this.#settings = settings;
  }

  at(nowMs: number): string {
    if (this.#openedMs === undefined) return "closed";
    const waited = nowMs >= this.#openedMs + this.#settings.halfOpenAfterMs;
    return waited && this.#probes.length === 0 ? "half-open" : "open";
  }

  send(id: string, nowMs: number): void {
    if (this.at(nowMs) === "half-open") this.#probes = [id];
  }

  end(id: string, outcome: string, nowMs: number): void {
    if (this.#openedMs === undefined) {
      if (outcome !== "failed") return;
      this.#failures.push(nowMs);
      const recent = this.#failures.filter((failedMs) => failedMs > nowMs - this.#settings.windowMs);
      if (recent.length >= this.#settings.errorThreshold) this.#openedMs = nowMs;
    } else if (this.#probes.includes(id)) {
      this.#probes = [];
      if (outcome === "failed") this.#openedMs = nowMs;
      if (outcome !== "succeeded") return;
      this.#openedMs = undefined;
      this.#failures = [];
    }
  }
}
