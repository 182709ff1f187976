import { GetAttemptsResponseSchema, Outcome } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { describe, expect, it } from "vitest";
import { runningIn, scaleOf, ticksOf } from "./scale.ts";

const hour = 3_600_000;

describe("the scale of a timeline", () => {
  it("is even where something always ran, and where nothing did for a moment", () => {
    const { breaks, placeOf } = scaleOf({ fromMs: 0, toMs: 10_000 }, [
      { fromMs: 0, toMs: 2_000 },
      { fromMs: 5_000, toMs: 10_000 },
    ]);
    expect(breaks).toEqual([]);
    expect([0, 2_500, 10_000].map(placeOf)).toEqual([0, 0.25, 1]);
  });

  it("gives a long wait a bounded share of the width, and the rest to what ran", () => {
    const scale = scaleOf({ fromMs: 0, toMs: 3 * hour + 4_000 }, [
      { fromMs: 0, toMs: 2_000 },
      { fromMs: 3 * hour + 2_000, toMs: 3 * hour + 4_000 },
    ]);
    expect(scale.breaks).toEqual([{ fromMs: 2_000, toMs: 3 * hour + 2_000 }]);
    const places = [0, 2_000, 3 * hour + 2_000, 3 * hour + 4_000].map(scale.placeOf);
    for (const [index, place] of [0, 0.4, 0.6, 1].entries()) expect(places[index]).toBeCloseTo(place);
    // After a break, ticks count from when it went on.
    const ticks = ticksOf(scale);
    expect(ticks[0]).toEqual({ place: 0, sinceMs: 0, isAfterBreak: false });
    expect(ticks.filter(({ isAfterBreak }) => isAfterBreak).map(({ sinceMs }) => sinceMs)).toEqual([
      1_000, 2_000,
    ]);
    expect(ticks.some(({ place }) => place > 0.35 && place < 0.6)).toBe(false);
  });

  it("stands still while a wait goes on, from the moment in which it is a break", () => {
    const running = [{ fromMs: 0, toMs: 100_000 }];
    const endOfWork = (waitMs: number) =>
      scaleOf({ fromMs: 0, toMs: 100_000 + waitMs }, running).placeOf(100_000);
    expect(endOfWork(25_000)).toBeCloseTo(0.8);
    expect(endOfWork(25_100)).toBeCloseTo(0.8);
    expect(endOfWork(100 * hour)).toBeCloseTo(0.8);
  });

  it("leaves room for what ran, however many waits there were", () => {
    const running = Array.from({ length: 11 }, (_, place) => ({
      fromMs: place * hour,
      toMs: place * hour + 1_000,
    }));
    const { breaks, placeOf } = scaleOf({ fromMs: 0, toMs: 10 * hour + 1_000 }, running);
    expect(breaks).toHaveLength(10);
    const widths = running.map(({ fromMs, toMs }) => placeOf(toMs) - placeOf(fromMs));
    expect(widths.reduce((sum, width) => sum + width, 0)).toBeCloseTo(0.4);
    expect(placeOf(10 * hour + 1_000)).toBeCloseTo(1);
  });

  it("has no break while nothing ran at all", () => {
    expect(scaleOf({ fromMs: 0, toMs: hour }, []).breaks).toEqual([]);
  });
});

describe("what ran", () => {
  const at = timestampFromMs;
  const attempt = {
    dispatchId: "p/a/1",
    stageId: "a",
    sentAt: at(0),
    receivedAt: at(10),
    outcome: Outcome.SUCCESS,
  };
  const ranOf = (told: Parameters<typeof create<typeof GetAttemptsResponseSchema>>[1]) =>
    runningIn(create(GetAttemptsResponseSchema, told), 1_000);

  it.each([
    ["an agent that is at work", { attempts: [{ ...attempt, receivedAt: undefined }] }, 1_000],
    ["checks, to their end", { attempts: [{ ...attempt, endedAt: at(50) }] }, 50],
    [
      "checks, until a person is asked",
      { attempts: [{ ...attempt, reviewAt: at(20), endedAt: at(900) }] },
      20,
    ],
    ["checks, until the run is paused", { attempts: [attempt], waits: [{ stageId: "", from: at(30) }] }, 30],
    [
      "an agent that asks, until it has asked",
      { attempts: [{ ...attempt, outcome: Outcome.RETRYABLE_FAILURE, endedAt: at(900) }] },
      10,
    ],
  ])("is %s", (_, told, toMs) => {
    expect(ranOf(told)).toEqual([{ fromMs: 0, toMs }]);
  });
});
