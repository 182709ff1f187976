import { describe, expect, it } from "vitest";
import { trendOf } from "./trend.ts";

const trendOver = (...confidences: number[]) =>
  trendOf(confidences.map((confidence, turnIndex) => ({ turnIndex, confidence })));

describe("trendOf", () => {
  it("[TUR-07] takes the median of all slopes", () => {
    const { slopePerTurn, from, to } = trendOver(0.8, 0.7, 0, 0.5, 0.4);
    expect(slopePerTurn).toBeCloseTo(-0.1);
    expect(from).toBeCloseTo(0.8);
    expect(to).toBeCloseTo(0.4);
  });

  it("[TUR-07] counts falling against rising pairs in standard deviations", () => {
    // Ten pairs fall: (10 - 1) / sqrt(5 · 4 · 15 / 18).
    expect(trendOver(0.9, 0.8, 0.7, 0.6, 0.5).z).toBeCloseTo(-2.2045, 4);
    expect(trendOver(0.5, 0.6, 0.7, 0.8, 0.9).z).toBeCloseTo(2.2045, 4);
    // Sixteen pairs fall, twelve are ties: (16 - 1) / sqrt((8 · 7 · 21 - 2 · 4 · 3 · 13) / 18).
    expect(trendOver(0.9, 0.9, 0.9, 0.9, 0.4, 0.4, 0.4, 0.4).z).toBeCloseTo(-2.1651, 4);
    expect(trendOver(0.7, 0.7, 0.7, 0.7, 0.7).z).toBe(0);
  });

  it("[TUR-07] draws no line outside of 0 and 1", () => {
    const { from, to } = trendOver(1, 1, 0.5, 0, 0);
    expect([from, to]).toEqual([1, 0]);
  });
});
