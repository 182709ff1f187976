import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defaultEntropyOptions, describeDecline, type EntropyOptions, entropyOptions } from "./decline.ts";
import { type Decline, type EntropyState, initialEntropy, observeConfidence } from "./entropy.ts";
import { type ConfidenceTurn, trendOf } from "./trend.ts";

interface Watched {
  readonly state: EntropyState;
  readonly alarms: readonly (Decline & { readonly turnIndex: number })[];
}

function watch(turns: readonly ConfidenceTurn[], options: EntropyOptions = defaultEntropyOptions): Watched {
  let state = initialEntropy;
  const alarms: (Decline & { turnIndex: number })[] = [];
  for (const turn of turns) {
    const observed = observeConfidence(state, turn, options);
    state = observed.state;
    if (observed.alarm) alarms.push({ ...observed.alarm, turnIndex: turn.turnIndex });
  }
  return { state, alarms };
}

const series = (...confidences: number[]): ConfidenceTurn[] =>
  confidences.map((confidence, turnIndex) => ({ turnIndex, confidence }));
const steady = (from: number, step: number, turns: number): number[] =>
  Array.from({ length: turns }, (_, turn) => Math.max(0, from + step * turn));

const confidence = fc.double({ min: 0, max: 1, noNaN: true });
const anyOptions = fc
  .record({
    minTurns: fc.integer({ min: 5, max: 12 }),
    wider: fc.nat(10),
    fallPerTurn: fc.double({ min: 0.001, max: 0.3, noNaN: true }),
    part: fc.double({ min: 0, max: 0.9, noNaN: true }),
    significance: fc.double({ min: 0, max: 2, noNaN: true }),
  })
  .map(({ minTurns, wider, fallPerTurn, part, significance }) =>
    entropyOptions({
      minTurns,
      window: minTurns + wider,
      fallPerTurn,
      recoveredFallPerTurn: part * fallPerTurn,
      significance,
    }),
  );
/** Turns as they are reported: some are missing, none stands twice. */
const anyTurns = fc
  .uniqueArray(fc.nat(80), { maxLength: 50 })
  .chain((indices) =>
    fc.tuple(
      ...indices
        .toSorted((a, b) => a - b)
        .map((turnIndex) => fc.record({ turnIndex: fc.constant(turnIndex), confidence })),
    ),
  );

describe("a steady decline", () => {
  it("[TUR-07] alarms as soon as there are enough turns, however long it goes on, once", () => {
    fc.assert(
      fc.property(anyOptions, fc.double({ min: 1, max: 3, noNaN: true }), (options, times) => {
        const step = options.fallPerTurn * times;
        const turns = Math.floor(1 / step) + 1;
        fc.pre(turns >= options.minTurns);
        const { alarms } = watch(series(...steady(1, -step, turns)), options);
        expect(alarms.map(({ turnIndex }) => turnIndex)).toEqual([options.minTurns - 1]);
      }),
    );
  });

  it("[TUR-07] alarms within the window when it follows a calm time", () => {
    fc.assert(
      fc.property(anyOptions, fc.integer({ min: 1, max: 40 }), (options, calm) => {
        const { window, fallPerTurn } = options;
        fc.pre(window * fallPerTurn <= 1);
        const turns = series(...steady(1, 0, calm), ...steady(1 - fallPerTurn, -fallPerTurn, window));
        const { alarms } = watch(turns, options);
        expect(alarms).toHaveLength(1);
        expect(alarms[0]?.turnIndex).toBeLessThan(calm + window);
      }),
    );
  });

  it("[TUR-07] is described in numbers for a person", () => {
    const { alarms } = watch(series(0.9, 0.8, 0.7, 0.6, 0.5, 0.4), entropyOptions({ minTurns: 6 }));
    expect(alarms).toHaveLength(1);
    expect(alarms.map(describeDecline)).toEqual([
      "confidence fell from about 0.90 to 0.40 over 6 turns (0 to 5), about 0.10 a turn",
    ]);
    expect(alarms[0]?.turns).toHaveLength(6);
    expect(alarms[0]?.slopePerTurn).toBeCloseTo(-0.1);
    expect(alarms[0]?.z).toBeCloseTo(-2.63, 2);
  });

  it("[TUR-07] is also a drop that lasts", () => {
    expect(watch(series(...steady(0.9, 0, 8), ...steady(0.4, 0, 8))).alarms).toHaveLength(1);
  });

  it("[TUR-07] is seen through a turn that stands out", () => {
    expect(watch(series(0.9, 0.83, 0.95, 0.7, 0.62, 0.5, 0.41)).alarms).toHaveLength(1);
  });

  it("[TUR-07] counts turns that were not reported", () => {
    const sparse = [0.9, 0.8, 0.7, 0.6, 0.5, 0.4].map((value, at) => ({
      turnIndex: 10 * at,
      confidence: value,
    }));
    expect(watch(sparse).alarms, "a hundredth a turn is no alarm").toEqual([]);
  });
});

describe("what is no decline", () => {
  it("[TUR-07] one low turn in a flat or rising series never alarms", () => {
    fc.assert(
      fc.property(anyTurns, fc.nat(), confidence, anyOptions, (turns, at, low, options) => {
        const rising = turns.map(({ confidence }) => confidence).sort((a, b) => a - b);
        const flat = turns.map(() => rising[0] ?? 0);
        for (const values of [rising, flat]) {
          const spoilt = turns.map(({ turnIndex }, index) => ({
            turnIndex,
            confidence: index === at % turns.length ? low : (values[index] ?? 0),
          }));
          expect(watch(spoilt, options).alarms).toEqual([]);
        }
      }),
    );
  });

  it("[TUR-07] a constant series never alarms", () => {
    fc.assert(
      fc.property(confidence, fc.integer({ min: 1, max: 60 }), anyOptions, (value, turns, options) => {
        expect(watch(series(...steady(value, 0, turns)), options).alarms).toEqual([]);
      }),
    );
  });

  it("[TUR-07] too few turns never alarm", () => {
    expect(watch(series(1, 0.7, 0.4, 0)).alarms).toEqual([]);
  });

  it("[TUR-07] a steep line through turns that go up and down never alarms", () => {
    const zigzag = series(0.8, 0.5, 0.75, 0.3, 0.65, 0.25);
    expect(trendOf(zigzag).slopePerTurn).toBeLessThan(-defaultEntropyOptions.fallPerTurn);
    expect(watch(zigzag).alarms).toEqual([]);
  });

  it("[TUR-07] a fall that is slower than the limit never alarms", () => {
    expect(watch(series(...steady(0.9, -0.03, 30))).alarms).toEqual([]);
  });
});

describe("one decline, one alarm", () => {
  it("[TUR-07] a decline is over when a window of turns no longer falls", () => {
    const fall = steady(0.9, -0.06, 8);
    expect(watch(series(...fall)).state.declining).toBe(true);
    expect(watch(series(...fall, ...steady(0.48, 0, 8))).state.declining).toBe(false);
  });

  it("[TUR-07] a decline that never quite ends is forgotten after twice the window", () => {
    const slows = series(...steady(1, -0.05, 5), ...steady(0.78, -0.02, 11));
    expect(watch(slows.slice(0, 15)).state.declining).toBe(true);
    expect(watch(slows).state.declining).toBe(false);
  });

  it("[TUR-07] a decline that wavers is still the same one", () => {
    const falls = steady(1, -0.06, 8);
    const wavers = steady(0.55, -0.02, 5);
    expect(watch(series(...falls, ...wavers, ...steady(0.45, -0.06, 8))).alarms).toHaveLength(1);
  });

  it("[TUR-07] a decline after a recovery is another one", () => {
    const fall = steady(0.9, -0.08, 8);
    const calm = steady(0.9, 0, 10);
    const { alarms } = watch(series(...fall, ...calm, ...fall));
    expect(alarms).toHaveLength(2);
  });
});

describe("turns in any order", () => {
  it("[TUR-07] lead to the same state, also when some come twice", () => {
    const arrivals = anyTurns.chain((turns) =>
      fc.tuple(
        fc.constant(turns),
        fc.shuffledSubarray(turns, { minLength: turns.length }),
        fc.subarray(turns),
        fc.array(fc.nat(80)),
      ),
    );
    fc.assert(
      fc.property(arrivals, anyOptions, ([turns, shuffled, again, positions], options) => {
        const arriving = [...shuffled];
        for (const [at, turn] of again.entries())
          arriving.splice((positions[at] ?? 0) % (arriving.length + 1), 0, turn);
        const inOrder = watch(turns, options);
        const mixed = watch(arriving, options);
        expect(mixed.state).toEqual(inOrder.state);
        if (mixed.state.declining) expect(mixed.alarms.length, "no decline is silent").toBeGreaterThan(0);
      }),
    );
  });

  it("[TUR-07] of two reports on one turn, the less confident counts", () => {
    const twice = [
      { turnIndex: 3, confidence: 0.8 },
      { turnIndex: 3, confidence: 0.5 },
    ];
    expect(watch(twice).state).toEqual(watch(twice.toReversed()).state);
    expect(watch(twice).state.turns).toEqual([{ turnIndex: 3, confidence: 0.5 }]);
  });

  it("[TUR-07] are held in bounded memory, and the state can be stored as JSON", () => {
    const { state } = watch(series(...Array.from({ length: 5000 }, (_, at) => (at % 10) / 10)));
    expect(state.turns).toHaveLength(2 * defaultEntropyOptions.window);
    expect(state.turns.at(-1)?.turnIndex).toBe(4999);
    expect(JSON.parse(JSON.stringify(state))).toEqual(state);
  });

  it.each([
    [{ turnIndex: -1, confidence: 0.5 }, "-1 is not a turn index"],
    [{ turnIndex: 0.5, confidence: 0.5 }, "0.5 is not a turn index"],
    [{ turnIndex: 0, confidence: Number.NaN }, "NaN is not a confidence from 0 to 1"],
    [{ turnIndex: 0, confidence: 1.1 }, "1.1 is not a confidence from 0 to 1"],
  ])("[TUR-07] are refused when they are none: %j", (turn, problem) => {
    expect(() => observeConfidence(initialEntropy, turn)).toThrow(problem);
  });
});

describe("entropyOptions", () => {
  it("[TUR-07] take window and threshold from the configuration", () => {
    expect(entropyOptions({ window: 12, fallPerTurn: 0.1 })).toEqual({
      ...defaultEntropyOptions,
      window: 12,
      fallPerTurn: 0.1,
    });
  });

  it.each([
    [{ minTurns: 4 }, "minTurns must be 5 or more"],
    [{ window: 4 }, "window must be from minTurns (5) to 50"],
    [{ window: 7.5 }, "window must be from minTurns (5) to 50"],
    [{ fallPerTurn: 0 }, "fallPerTurn must be above 0, and at the most 1"],
    [{ recoveredFallPerTurn: 0.05 }, "recoveredFallPerTurn must be from 0 to less than fallPerTurn (0.05)"],
    [{ significance: 3 }, "significance must be from 0 to 2"],
  ])("[TUR-07] refuse what could not keep the promise: %j", (overrides, problem) => {
    expect(() => entropyOptions(overrides)).toThrow(`entropy detector: ${problem}`);
  });
});
