import { GetAttemptsResponseSchema, Outcome } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { describe, expect, it } from "vitest";
import { labelWidth, type Period, runningIn, scaleOf, ticksOf } from "./scale.ts";

const hour = 3_600_000;

describe("the scale of a timeline", () => {
  it("is linear when nothing or only a moment was idle", () => {
    const { breaks, placeOf } = scaleOf({ fromMs: 0, toMs: 10_000 }, [
      { fromMs: 0, toMs: 2_000 },
      { fromMs: 5_000, toMs: 10_000 },
    ]);
    expect(breaks).toEqual([]);
    expect([0, 2_500, 10_000].map(placeOf)).toEqual([0, 0.25, 1]);
  });

  it("limits a long wait to a share of the width", () => {
    const scale = scaleOf({ fromMs: 0, toMs: 3 * hour + 4_000 }, [
      { fromMs: 0, toMs: 2_000 },
      { fromMs: 3 * hour + 2_000, toMs: 3 * hour + 4_000 },
    ]);
    expect(scale.breaks).toEqual([{ fromMs: 2_000, toMs: 3 * hour + 2_000 }]);
    const places = [0, 2_000, 3 * hour + 2_000, 3 * hour + 4_000].map(scale.placeOf);
    for (const [index, place] of [0, 0.4, 0.6, 1].entries()) expect(places[index]).toBeCloseTo(place);
    // After a break, ticks count from when it went on.
    const ticks = ticksOf(scale);
    expect(ticks[0]).toEqual({ place: 0, sinceMs: 0, isAfterBreak: false, isEnd: false });
    expect(ticks.filter(({ isAfterBreak }) => isAfterBreak).map(({ sinceMs }) => sinceMs)).toEqual([1_000]);
    expect(ticks.some(({ place }) => place > 0.35 && place < 0.6)).toBe(false);
  });

  it("does not move while a wait that is a break lasts", () => {
    const running = [{ fromMs: 0, toMs: 100_000 }];
    const endOfWork = (waitMs: number) =>
      scaleOf({ fromMs: 0, toMs: 100_000 + waitMs }, running).placeOf(100_000);
    expect(endOfWork(25_000)).toBeCloseTo(0.8);
    expect(endOfWork(25_100)).toBeCloseTo(0.8);
    expect(endOfWork(100 * hour)).toBeCloseTo(0.8);
  });

  /** Work of a second each, and a wait after each but the last. */
  const waitsOf = (...waitsMs: number[]) => {
    let toMs = 1_000;
    const running: Period[] = [{ fromMs: 0, toMs }];
    for (const waitMs of waitsMs) {
      running.push({ fromMs: toMs + waitMs, toMs: toMs + waitMs + 1_000 });
      toMs += waitMs + 1_000;
    }
    return { running, scale: scaleOf({ fromMs: 0, toMs }, running), toMs };
  };
  const equal = (count: number, waitMs: number) => Array.from({ length: count }, () => waitMs);

  it("leaves room for work between several waits", () => {
    const { running, scale, toMs } = waitsOf(...equal(6, hour));
    expect(scale.breaks).toHaveLength(6);
    const widths = running.map((one) => scale.placeOf(one.toMs) - scale.placeOf(one.fromMs));
    expect(widths.reduce((sum, width) => sum + width, 0)).toBeCloseTo(0.4);
    expect(scale.placeOf(toMs)).toBeCloseTo(1);
  });

  it("shortens only the longest of many waits", () => {
    const { scale } = waitsOf(...equal(200, 10_000), ...equal(6, hour), ...equal(200, 10_000));
    expect(scale.breaks).toHaveLength(6);
    for (const { fromMs, toMs } of scale.breaks) expect(toMs - fromMs).toBe(hour);
  });

  it.each([
    ["no wait", []],
    ["a wait of three hours", [3 * hour]],
    ["6 waits of an hour", equal(6, hour)],
    ["7 waits of an hour", equal(7, hour)],
    ["12 waits of a minute", equal(12, 60_000)],
    ["12 waits, each longer than the one before", equal(12, 60_000).map((ms, place) => ms * 3 ** place)],
    ["500 waits of 10 seconds", equal(500, 10_000)],
    ["500 waits, of which some are long", equal(500, 10_000).map((ms, place) => (place % 50 ? ms : hour))],
  ])("has few breaks and readable ticks, with %s", (_, waitsMs) => {
    const { scale, toMs } = waitsOf(...waitsMs);
    expect(scale.breaks.length).toBeLessThanOrEqual(6);
    // To place something takes a step for each of these.
    expect(scale.breaks.length + scale.stretches.length).toBeLessThanOrEqual(13);
    expect([0, toMs].map(scale.placeOf)).toEqual([0, expect.closeTo(1)]);
    for (const room of Object.values(labelWidth)) {
      const ticks = ticksOf(scale, room);
      expect(ticks.length).toBeGreaterThanOrEqual(2);
      expect(ticks.length).toBeLessThanOrEqual(8);
      const written = ticks.map(({ place, isEnd }) => (isEnd ? place - room : place));
      for (const [index, place] of written.entries()) {
        expect(place + room).toBeLessThanOrEqual(1.000001);
        if (index > 0) expect(place - (written[index - 1] ?? 0)).toBeGreaterThanOrEqual(room - 0.000001);
      }
    }
  });

  it("has ticks when a run starts with a wait", () => {
    const scale = scaleOf({ fromMs: 0, toMs: hour + 10 }, [{ fromMs: hour, toMs: hour + 10 }]);
    expect(scale.breaks).toHaveLength(1);
    expect(ticksOf(scale).length).toBeGreaterThanOrEqual(2);
  });

  it("has no break while nothing ran", () => {
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
  const ranOf = (activity: Parameters<typeof create<typeof GetAttemptsResponseSchema>>[1]) =>
    runningIn(create(GetAttemptsResponseSchema, activity), 1_000);

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
  ])("is %s", (_, activity, toMs) => {
    expect(ranOf(activity)).toEqual([{ fromMs: 0, toMs }]);
  });
});
